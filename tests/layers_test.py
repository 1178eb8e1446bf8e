#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rooms of the house and the walls between them.

A room is a folder. It may include what ROOMS says, and of another room only
that room's door: the headers that are for others. The table is what is there,
no more: a permission that is not used is taken back."""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from harness import tap

ROOT = Path(__file__).resolve().parents[1]
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)


@dataclass
class Room:
    door: str  # headers that other rooms may include
    below: str  # rooms whose doors this one may use


TEXT = "runtime/text"
ROOMS = {
    "runtime": Room("list lock os rt", ""),
    TEXT: Room(
        "arena array bytes distance field folder hex index json moment ndjson "
        "path pbkdf2 percent sha256 slice turns utf8 warden_file", ""),
    "runtime/process": Room(
        "cgroup process", f"runtime {TEXT} runtime/warden"),
    "runtime/warden": Room("order", TEXT),
    "config": Room(
        "config desktop edit env identity inventory language location messages "
        "reason token toolset trust url",
        f"{TEXT} config/messages"),
    "config/messages": Room(
        "actors_en actors_ja command_en command_ja config_en config_ja "
        "doctor_en doctor_ja keys_en keys_ja "
        "manual_en manual_ja pm_en pm_ja show_en show_ja transport_en transport_ja", ""),
    "actors/stream": Room("backend event story tool_name transcript", TEXT),
    "actors/order": Room(
        "args_read code hub_context order order_kind roster settings signing_key",
        f"runtime {TEXT} config actors/stream"),
    "actors/launch": Room(
        "launch prompt", f"{TEXT} runtime/process config actors/order"),
    "actors/agent": Room(
        "agent stream", f"runtime {TEXT} runtime/process config actors/stream"),
    "actors/group": Room(
        "group magentic recover slots",
        f"runtime {TEXT} actors/order actors/launch actors/agent"),
    "actors/store": Room(
        "agent_dirs agent_record candidate cleaner event_page group_record past reader "
        "store "
        "transcript_pages work work_moment",
        f"runtime {TEXT} config actors/stream actors/order"),
    "actors/health": Room(
        "aside check config_writer health",
        f"runtime {TEXT} runtime/process config actors/stream actors/order "
        "actors/launch actors/store"),
    "actors/registry": Room(
        "feed note notice registry",
        f"runtime {TEXT} config actors/stream actors/order actors/launch "
        "actors/agent actors/group actors/store actors/health"),
    "actors/mail": Room(
        "mail", f"runtime {TEXT} actors/order actors/registry actors/store"),
    "actors/phases": Room(
        "phases",
        f"runtime {TEXT} config actors/order actors/health actors/mail "
        "actors/registry actors/store"),
    "actors/projects": Room(
        "projects",
        f"runtime {TEXT} actors/order actors/mail actors/registry "
        "actors/store"),
    "actors/notify": Room(
        "notifier",
        f"runtime {TEXT} runtime/process config actors/order actors/launch "
        "actors/health actors/registry"),
    "transport/io": Room("frame outbox readahead", TEXT),
    "transport/wire": Room(
        "build cgroup_text home hublink hubstart log log_line memory proc_entry prompt wire",
        f"{TEXT} runtime/process config transport/io"),
    "transport/mcp": Room("client mcp rpc tools", f"{TEXT} config actors/order"),
    "transport/session": Room(
        "calls session sessions speakers standalone",
        f"{TEXT} runtime/process config actors/order actors/registry transport/io "
        "transport/wire transport/mcp"),
    "transport/http": Room(
        "exchange framing refusal site websocket",
        f"runtime {TEXT} transport/mcp"),
    "transport/http/mcp": Room(
        "endpoint",
        f"runtime {TEXT} actors/order transport/mcp transport/http"),
    "transport/feed": Room(
        "feed",
        f"{TEXT} config actors/agent actors/store actors/registry "
        "transport/session transport/http"),
    "transport/web": Room(
        "recording_page web",
        f"{TEXT} config actors/order actors/registry transport/wire "
        "transport/mcp transport/session transport/http transport/http/mcp "
        "transport/feed"),
    "transport/hub": Room(
        "",
        f"{TEXT} runtime/process config actors/order actors/store "
        "actors/health actors/registry actors/notify actors/mail actors/phases "
        "actors/projects "
        "transport/wire "
        "transport/mcp transport/session transport/web"),
    "transport/relay": Room(
        "relay", f"{TEXT} config transport/io transport/wire transport/mcp"),
    "transport/command": Room(
        "command service",
        f"{TEXT} runtime/process config actors/stream transport/wire"),
    "transport/puppet": Room("", ""),
    "transport": Room("", "config transport/wire transport/relay transport/command"),
}
PRODUCT = ("runtime", "config", "actors", "transport", "web")


def sources(root: Path) -> list[Path]:
    return sorted(p for top in PRODUCT if (root / top).is_dir()
                  for p in (root / top).rglob("*.[ch]"))


def room_of(path: Path, root: Path) -> str:
    return str(path.parent.relative_to(root))


def includes(source: Path) -> list[str]:
    return INCLUDE.findall(source.read_text(encoding="utf-8"))


@dataclass
class Wrong:
    """What is wrong with a tree, a line each, and what it made use of."""
    lines: list[str]
    used: set[tuple[str, str]]  # a room, and one below or a header of its door


def look(root: Path, rooms: dict[str, Room]) -> Wrong:
    wrong = Wrong([], set())
    for source in sources(root):
        name, own = source.relative_to(root), room_of(source, root)
        if own not in rooms:
            wrong.lines.append(f"{name} lies in no room of the table")
            continue
        for path in includes(source):
            header = root / path
            if not header.is_file():
                wrong.lines.append(f"{name}: there is no {path}")
                continue
            other = room_of(header, root)
            if other == own:
                continue
            wrong.used |= {(own, other), (other, header.stem)}
            if other not in rooms[own].below.split():
                wrong.lines.append(f"{name}: {own} may not include {path}")
            elif header.stem not in rooms[other].door.split():
                wrong.lines.append(f"{name}: {path} is no door of {other}")
    return wrong


@tap.test
def rooms_include_what_they_may() -> None:
    wrong = look(ROOT, ROOMS).lines
    assert not wrong, "\n".join(wrong)


@tap.test
def the_table_allows_nothing_more() -> None:
    used = look(ROOT, ROOMS).used
    idle = [f"{name} does not include {below}" for name, room in ROOMS.items()
            for below in room.below.split() if (name, below) not in used]
    idle += [f"nothing includes {name}/{header}.h from outside"
             for name, room in ROOMS.items()
             for header in room.door.split() if (name, header) not in used]
    assert not idle, "\n".join(idle)


@tap.test
def the_table_has_no_circle() -> None:
    seen: set[str] = set()
    while left := [n for n in ROOMS if n not in seen]:
        free = [n for n in left if seen.issuperset(ROOMS[n].below.split())]
        assert free, f"a circle among {left}"
        seen.update(free)


@tap.test
def the_engine_knows_no_text() -> None:
    assert TEXT not in ROOMS["runtime"].below


def planted(files: dict[str, str]) -> list[str]:
    """What is wrong with a small tree of these files."""
    rooms = {"runtime": Room("rt", ""), "actors/agent": Room("agent", "runtime"),
             "actors/group": Room("group", "actors/agent")}
    whole = {"runtime/rt.h": "", "runtime/inbox.h": "",
             "actors/agent/agent.h": '#include "runtime/rt.h"\n',
             "actors/agent/inside.h": "",
             "actors/group/group.c": '#include "actors/agent/agent.h"\n', **files}
    with tempfile.TemporaryDirectory() as top:
        for name, text in whole.items():
            path = Path(top) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return look(Path(top), rooms).lines


@tap.test
def a_planted_wrong_include_is_found() -> None:
    assert planted({}) == []
    for text, words in (
            ('#include "actors/group/group.c"\n', "may not include"),
            ('  #  include "actors/group/group.c"\n', "may not include"),
            ('#include "runtime/inbox.h"\n', "is no door of"),
            ('#include "runtime/none.h"\n', "there is no")):
        said = planted({"actors/agent/agent.c": text})
        assert len(said) == 1 and words in said[0], (text, said)


@tap.test
def a_planted_room_is_found() -> None:
    said = planted({"actors/new/new.c": ""})
    assert said == ["actors/new/new.c lies in no room of the table"], said


# ---- pages and comments ----------------------------------------------------

NAMED = re.compile(r"(?<![\w/.<-])((?:\w+/)*\w+\.[ch])(?![\w>])")
PAGES = ("ARCHITECTURE.md", "README.md", "CONTRIBUTING.md", "SECURITY.md",
         "docs/api.md", "docs/glossary.md")


def all_files() -> list[str]:
    tops = (*PRODUCT, "tests", "bench")
    return [f"/{p.relative_to(ROOT)}" for top in tops
            for p in (ROOT / top).rglob("*") if p.is_file()]


def names_in(text: str, files: list[str]) -> list[str]:
    """The names of sources in it that there are none of."""
    return [name for name in NAMED.findall(text)
            if not any(f.endswith("/" + name) for f in files)]


@tap.test
def pages_name_files_that_exist() -> None:
    files = all_files()
    for page in PAGES:
        text = re.sub(r"<[^>]*>", "", (ROOT / page).read_text())
        assert not (wrong := names_in(text, files)), (page, wrong)


@tap.test
def comments_name_files_that_exist() -> None:
    files = all_files()
    wrong = [f"{source.relative_to(ROOT)}: {name}" for source in sources(ROOT)
             for comment in re.findall(r"/\*.*?\*/", source.read_text(), re.S)
             for name in names_in(comment, files)]
    assert not wrong, "\n".join(wrong)


@tap.test
def the_architecture_names_every_room() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text()
    lost = [name for name in ROOMS
            if name != "transport" and f"| `{name}/` |" not in page]
    assert not lost, lost


@tap.test
def ck_is_included_through_one_header() -> None:
    for source in sources(ROOT):
        if not source.name.startswith("atomic"):
            assert "<ck_" not in source.read_text(), source.name


if __name__ == "__main__":
    tap.run()
