#!/usr/bin/env bash
# Installs the npm packages of the lock file under .deps/clients, once, and
# prints the node that runs them and where they are: "NODE\nDEPS\n". After
# that nobody needs the network.
#
# Ends with 3 when there is nothing to say here, and with 1 when the lock file
# is at fault; then the one line printed is why.
set -euo pipefail
cd "$(dirname "$0")"
root=$(realpath ../../..)
deps=$root/.deps/clients

nothing() { printf '%s\n' "$*"; exit 3; }

# Only an unreachable registry excuses: a lock file that does not install is a
# fault of ours, and would otherwise be skipped for ever.
not_installed() {
  npm view @modelcontextprotocol/sdk version >/dev/null 2>&1 ||
    nothing "no registry"
  printf 'the packages of the lock file do not install\n'
  exit 1
}

install() {
  command -v npm >/dev/null || nothing "no npm"
  rm -f "$deps/installed"
  cp package.json package-lock.json "$deps"
  (cd "$deps" && npm ci --ignore-scripts --no-audit --no-fund) >&2 ||
    not_installed
  touch "$deps/installed"
}

# Two tests that start together must not both install.
mkdir -p "$deps"
exec 9>"$root/.deps/clients.lock"
flock 9
cmp -s package-lock.json "$deps/package-lock.json" &&
  [ -e "$deps/installed" ] || install

# The conformance suite wants a newer node than Debian has: one of the packages
# is that, and where it has none for this machine the system's has to do.
for node in "$deps"/node_modules/node-linux-*/bin/node "$(command -v node)"; do
  if [ -x "$node" ] &&
    "$node" -e 'process.exitCode = +(parseInt(process.versions.node) < 22)'; then
    printf '%s\n' "$node" "$deps"
    exit 0
  fi
done
nothing "no node of version 22"
