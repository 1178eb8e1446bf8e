#!/usr/bin/env bash
# run.sh BUILD: real MCP clients against the programs in that directory.
#
# The clients are npm packages, installed once under .deps/clients from the
# lock file. Without node or a registry there is nothing to say, and that is
# what is said.
set -euo pipefail
build=$(realpath "$1")
cd "$(dirname "$0")"
deps=$(realpath ../..)/.deps/clients

skip() { printf '1..0 # SKIP %s\n' "$*"; exit 0; }

# Only an unreachable registry excuses: a lock file that does not install is a
# fault of ours, and would otherwise be skipped for ever.
not_installed() {
  npm view @modelcontextprotocol/sdk version >/dev/null 2>&1 ||
    skip "no registry"
  printf '1..1\nnot ok 1 - the packages of the lock file install\n'
  exit 0
}

command -v node >/dev/null || skip "no node"
if ! cmp -s package-lock.json "$deps/package-lock.json" ||
  [ ! -e "$deps/installed" ]; then
  command -v npm >/dev/null || skip "no npm"
  mkdir -p "$deps"
  rm -f "$deps/installed"
  cp package.json package-lock.json "$deps"
  (cd "$deps" && npm ci --ignore-scripts --no-audit --no-fund) >&2 ||
    not_installed
  touch "$deps/installed"
fi
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
HOME=$home MCP_INSPECTOR_SECRET_STORE=memory \
  node clients_test.mjs "$deps" "$build"
