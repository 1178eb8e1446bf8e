# SPDX-License-Identifier: MIT
"""Where a bench makes its files, and what kind of file system is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Mapping


def state_home(env: Mapping[str, str]) -> Path:
    """Where hubs of this user keep their state (config/identity.c)."""
    if own := env.get("KUROMAJUTSU_HOME"):
        return Path(own)
    xdg = env.get("XDG_STATE_HOME", "")
    if xdg.startswith("/"):
        return Path(xdg, "kuromajutsu")
    return Path.home() / ".local/state/kuromajutsu"


def plain(field: str) -> str:
    """Of mountinfo, where a space is \\040."""
    return re.sub(r"\\([0-7]{3})", lambda m: chr(int(m[1], 8)), field)


def nearest(path: Path) -> Path:
    """It, or the first directory above it that there is."""
    return next(p for p in (path, *path.parents) if p.is_dir())


def has_no_journal(device: str) -> bool:
    """Of an ext4 on this one, "254:0". Such a one gives an inode away again
    only minutes after its file was removed, and each new file looks at all that
    wait: where much was removed lately it is many times slower."""
    name = Path("/sys/dev/block", device).resolve().name
    try:
        task = Path("/sys/fs/ext4", name, "journal_task").read_text()
    except OSError:
        return False
    return task.strip() == "<none>"


def file_system(path: Path) -> str:
    """The type of what is mounted there, "ext4". Of several mounts at one
    point the last is seen. Told by paths, for st_dev of a file is not always
    that of its mount."""
    real, found, device, depth = path.resolve(), "unknown", "", 0
    with open("/proc/self/mountinfo", encoding="utf-8",
              errors="surrogateescape") as mounts:
        for line in mounts:
            left, _, right = line.partition(" - ")
            point = Path(plain(left.split()[4]))
            if point in (real, *real.parents) and len(point.parts) >= depth:
                found, depth = right.split()[0], len(point.parts)
                device = left.split()[2]
    return found + (" without a journal" if has_no_journal(device) else "")
