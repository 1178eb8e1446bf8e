#!/usr/bin/env bash
# Builds a directory that meson has set up, and says how far it is: in place on
# a terminal, else a line at every tenth. Says nothing when nothing is to be
# done. Everything goes to stderr, for stdout is the caller's.
#
#   config/build.sh DIRECTORY
set -uo pipefail
dir=$1

todo=$(ninja -C "$dir" -n 2>/dev/null | grep -o '^\[[0-9]*/[0-9]*\]' | tail -n1)
if [ -z "$todo" ]; then
  ninja -C "$dir" --quiet 2>&1 | awk '!/^ninja: no work/' >&2
  exit
fi
count=${todo##*/}
printf 'build: %s steps in %s (all of them take 2 to 5 minutes)\n' \
  "${count%]}" "$dir" >&2
export NINJA_STATUS='[%f/%t] '
begun=$SECONDS
if [ -t 2 ]; then
  ninja -C "$dir" >&2
else
  ninja -C "$dir" 2>&1 | awk '
    /^ninja: (Entering|no work)/ { next }
    match($0, /^\[[0-9]+\/[0-9]+\] /) {
      split(substr($0, 2, RLENGTH - 3), at, "/")
      tenth = int(10 * at[1] / at[2])
      if (tenth > told) { told = tenth; print "build: " tenth * 10 "%"; fflush() }
      next
    }
    { print }' >&2
fi || exit 1
printf 'build: done in %d s\n' $((SECONDS - begun)) >&2
