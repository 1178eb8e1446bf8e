#!/usr/bin/env bash
# run.sh BUILD TEST: a test in JavaScript, which drives the programs in that
# directory with real MCP clients. Without node or a registry there is nothing
# to say, and that is what is said.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")"
code=0
said=$(./install.sh) || code=$?
case $code in
  0) ;;
  3) printf '1..0 # SKIP %s\n' "$said"; exit 0 ;;
  *) printf '1..1\nnot ok 1 - %s\n' "$said"; exit 0 ;;
esac
{ read -r node; read -r deps; } <<<"$said"
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
HOME=$home MCP_INSPECTOR_SECRET_STORE=memory "$node" "$2" "$deps" "$build"
