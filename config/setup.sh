#!/usr/bin/env bash
# Installs what the build needs on Debian 12 (bookworm) or 13 (trixie).
# A second run finds everything there and does nothing.
#
# Packages of the machine's own release come by apt-get (root or sudo).
# What only the neighbouring release has is fetched by apt with a private
# state directory (signatures checked, /etc/apt untouched) and unpacked
# under .deps/, which needs no root.
#
#   config/setup.sh [PACKAGE...]   also installs these (bench peers and such)
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=$PWD/.deps
root=$prefix/root

system=(build-essential pkg-config meson ninja-build python3 ca-certificates
  debian-archive-keyring libssl-dev libwslay-dev libck-dev libyaml-dev
  libsqlite3-dev zlib1g-dev "$@")
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
    apt_quiet update
  fi
  for p in $(missing "${system[@]}" "${either[@]}"); do
    if has_candidate "$p"; then own+=("$p"); fi
  done
  [ ${#own[@]} -eq 0 ] || apt_quiet -y install --no-install-recommends "${own[@]}"
}

from_other_release() {
  local rest=("$@") state=$prefix/apt uri suite suites=(trixie) p
  . /etc/os-release
  uri=$(indexed_uri "Codename: $VERSION_CODENAME")
  [ -n "$uri" ] || die "apt has no source for $VERSION_CODENAME configured"
  [ "$VERSION_CODENAME" = bookworm ] || suites+=(bookworm)
  # Nothing with a host name stays behind, also when a step fails.
  trap 'rm -rf "$prefix/apt"' EXIT
  rm -rf "$state"
  mkdir -p "$state"/{empty,lists/partial,cache/archives/partial,debs} \
    "$root" "$prefix/stamp"
  : >"$state/status"
  for suite in "${suites[@]}"; do
    printf 'deb [signed-by=%s] %s %s main\n' \
      /usr/share/keyrings/debian-archive-keyring.gpg "$uri" "$suite"
  done >"$state/sources.list"
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
  apt_private update --error-on=any
  (cd "$state/debs" && apt_private download "${rest[@]}")
  for p in "${rest[@]}"; do
    dpkg-deb -x "$state/debs/${p}_"*.deb "$root"
    : >"$prefix/stamp/$p"
  done
  # The .pc files name /usr: make them find themselves.
  find "$root" -name '*.pc' -exec sed -i -E \
    '/^(prefix|exec_prefix|libdir|includedir)=/s#=/usr#=${pcfiledir}/../../..#' {} +
}

mapfile -t todo < <(missing "${system[@]}" "${either[@]}" "${unpack[@]}")
[ ${#todo[@]} -gt 0 ] || exit 0
command -v apt-get >/dev/null || die "this script knows Debian only"
say "installing: ${todo[*]}"
from_own_release
mapfile -t todo < <(missing "${either[@]}" "${unpack[@]}")
[ ${#todo[@]} -eq 0 ] || from_other_release "${todo[@]}"
mapfile -t todo < <(missing "${system[@]}" "${either[@]}" "${unpack[@]}")
[ ${#todo[@]} -eq 0 ] || die "still missing: ${todo[*]}"
