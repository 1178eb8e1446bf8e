# SPDX-License-Identifier: MIT
"""The programs that were built: every script is given the build directory."""

import os
import sys

BUILD = os.path.abspath(sys.argv[1])


def built(name):
    """The path of what lies there below the build directory."""
    return os.path.join(BUILD, name)


PROGRAM = built("kuromajutsu")
HUB = built("kuromajutsu-hub")
WARDEN = built("kuromajutsu-warden")
PUPPET = built("kuromajutsu-puppet")
# Does what its arguments say, act by act: see its source.
ACTS = built("tests/runtime/warden/acts")
