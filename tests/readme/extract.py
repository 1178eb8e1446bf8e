#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""extract.py README OUT: writes README's C example to OUT, so that what the
page shows is what the tests compile and run."""

import re
import sys


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as page:
        blocks = re.findall(r"^```c\n(.*?)^```$", page.read(), re.M | re.S)
    if len(blocks) != 1:
        sys.exit(f"{sys.argv[1]}: expected one C example, found {len(blocks)}")
    lines = blocks[0].count("\n")
    if lines > 65:
        sys.exit(f"{sys.argv[1]}: the example has grown to {lines} lines")
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        out.write(blocks[0])
    return 0


if __name__ == "__main__":
    sys.exit(main())
