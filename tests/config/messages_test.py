#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What people and models are told: the tables below config/messages/.

The compiler finds a name that one language misses where it is used. What it
cannot see is held here: that both tables say the same things with the same
conversions in the same order, each in its own language, and that no text
stands anywhere else."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from harness import tap  # noqa: E402

TABLES = "config/messages/"
TOPS = ("runtime", "config", "actors", "transport")
# Whole files of one language, or about none: scenarios of the puppet.
OTHER = re.compile(r"config/builtin_(ja|en)\.c|actors/launch/prompt_(ja|en)\.c|"
                   r"actors/phases/builtin_(ja|en)\.c|"
                   r"actors/projects/prompt_(ja|en)\.c|"
                   r"transport/puppet/.*")
JAPANESE = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
LITERAL = r'"(?:\\.|[^"\\])*"'
DEFINE = re.compile(r"^#define (JA|EN)_(\w+) ((?:.*\\\n)*.*)", re.M)
CODE = re.compile(rf"/\*.*?\*/|//[^\n]*|'(?:\\.|[^'\\])*'|({LITERAL})", re.S)
CONVERSION = re.compile(
    r"%(?:%|[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|j)?[a-zA-Z])")

Sources = dict[str, str]


def sources() -> Sources:
    return {str(p.relative_to(ROOT)): p.read_text(encoding="utf-8")
            for top in TOPS for p in sorted((ROOT / top).rglob("*.[ch]"))}


def text_of(body: str) -> str:
    """A literal's text as the source has it; PRIu64 stays as a conversion."""
    parts = re.findall(rf"{LITERAL}|PRI\w+", body)
    return "".join(p[1:-1] if p[0] == '"' else f"<{p}>" for p in parts)


def tables(files: Sources, language: str) -> dict[str, dict[str, str]]:
    """Of each part of the house its names and texts, in their order."""
    end = f"_{language.lower()}.h"
    return {path[len(TABLES):-len(end)]:
            {name: text_of(body) for which, name, body in DEFINE.findall(text)
             if which == language}
            for path, text in files.items()
            if path.startswith(TABLES) and path.endswith(end)}


def all_of(files: Sources, language: str) -> dict[str, str]:
    return {name: text for part in tables(files, language).values()
            for name, text in part.items()}


# ---- what can be wrong -----------------------------------------------------

def unlike(files: Sources) -> list[str]:
    """Parts whose names, or the order of them, are not those of the other."""
    ja, en = tables(files, "JA"), tables(files, "EN")
    wrong = [f"{part} is in one language only" for part in ja.keys() ^ en.keys()]
    for part in ja.keys() & en.keys():
        a, b = list(ja[part]), list(en[part])
        wrong += [f"{name} is in one language only"
                  for name in sorted(set(a) ^ set(b))]
        if set(a) == set(b) and a != b:
            first = next(x for x, y in zip(a, b) if x != y)
            wrong.append(f"{part}: another order from {first} on")
    return wrong


def strangers(files: Sources) -> list[str]:
    """Lines of the other language's prefix, and names that come twice."""
    wrong, seen = [], set()
    for path, text in files.items():
        if not path.startswith(TABLES):
            continue
        own = path[-4:-2].upper()
        for which, name, _ in DEFINE.findall(text):
            if which != own:
                wrong.append(f"{path}: {which}_{name}")
            if (which, name) in seen:
                wrong.append(f"{which}_{name} is there twice")
            seen.add((which, name))
    return wrong


def conversions(text: str) -> list[str]:
    plain = re.sub(r"<PRI([a-z])\d+>", r"j\1", text)
    return [c for c in CONVERSION.findall(plain) if c != "%%"]


def mismatched(files: Sources) -> list[str]:
    en = all_of(files, "EN")
    return [f"{name}: {conversions(text)}, but {conversions(en[name])}"
            for name, text in all_of(files, "JA").items()
            if name in en and conversions(text) != conversions(en[name])]


def japanese_in_english(files: Sources) -> list[str]:
    return [f"EN_{name}: {text}" for name, text in all_of(files, "EN").items()
            if JAPANESE.search(text)]


# Words of Latin letters that are Japanese's own by now, or nobody's: names of
# programs, products, formats, measures and placeholders of the manual.
PLAIN = set("""
    Agent Orchestrator Magentic CLI MCP Cloud API KiB md PHASE Z GET HTML HTTP
    JSON JSON-RPC NDJSON URI URL UTC UTF-8 NUL YAML ISO ID PID Markdown PATH KEY Claude Code Codex Cursor Gemini
    Ctrl-C http https WebSocket parameters
    COMMAND DIR FILE CLIENT LIST TEXT WHEN NAME AGENT TASK ROLE STATUS MODEL
    KIND OPTION AI Kuromajutsu G N R S T12 h d ms uid pid v1 v2
    cursor claude codex gemini vscode opencode cursor-agent agent bash curl git
    kuromajutsu kuromajutsu-hub kuromajutsu-puppet cgroup memory root sysctl
    systemd-run chown chmod kill mkdir ls ulimit run build user hidepid login auth
    exec ja en auto true false null yes debug info warn error fail day models hi
    approve project env prices stream-json grp- LANG COLUMNS HOME Delegate s x U
    newest oldest
    """.split())
# A file, a key with its dot, a variable, an option: never a plain word.
NAMED = re.compile(r"[~.]?/\w+|[~.]?/?(?:[\w-]+[/._])+[\w*-]*|[A-Z]+(?:_[A-Z]+)+|"
                   r"--?[A-Za-z][\w-]*|https?://\S+|[a-z]+(?:_[a-z]+)+|"
                   r"[a-z]+(?:[A-Z][a-z]+)+(?:_[a-z]+)?")
WORD = re.compile(r"(?:https?://|--?|[~.]?/)?[A-Za-z][\w./*-]*")


def vocabulary() -> set[str]:
    """Names that the programs themselves have: commands, toolsets, tools,
    fields."""
    known = set(PLAIN)

    def gather(value: object, key: str = "") -> None:
        if isinstance(value, dict):
            known.update(value)
            for k, v in value.items():
                gather(v, k)
        elif isinstance(value, list):
            for v in value:
                gather(v, key)
        elif isinstance(value, str) and key in ("name", "enum"):
            known.add(value)

    for path in (ROOT / "transport/mcp/toolsets").glob("*.json"):
        known.add(path.stem)
        gather(json.loads(path.read_text()))
    for path in (ROOT / "transport/command").glob("*.c"):
        known.update(re.findall(r'\.name = "([\w-]+)"', path.read_text()))
        known.update(verb for way in re.findall(
            r'\{"(\w+)", (?:"(\w+)"|NULL), pm_', path.read_text())
            for verb in way)
    keys = (ROOT / "config/keys.c").read_text()
    known.update(part for key in re.findall(r'"([a-z][\w.]*)"', keys)
                 for part in key.split("."))
    return known | {"mcp", "serve", "standalone", "config"}


def english_words(text: str, known: set[str]) -> list[str]:
    text = re.sub(r"\\[nt]", " ", re.sub(r"<PRI\w+>", "d", text))
    text = CONVERSION.sub(" ", text)
    return [w for w in WORD.findall(text)
            if w.rstrip(".") not in known and not NAMED.fullmatch(w)]


def english_in_japanese(files: Sources) -> list[str]:
    known = vocabulary()
    return [f"JA_{name}: {word}" for name, text in all_of(files, "JA").items()
            for word in english_words(text, known)]


def unused(files: Sources) -> list[str]:
    """Names that nothing says; tables may give a whole prefix by a macro."""
    words = {w for path, text in files.items() if not path.startswith(TABLES)
             for w in re.findall(r"\w+", CODE.sub(" ", text))}
    return [name for name in all_of(files, "JA")
            if not {name, f"JA_{name}", f"_{name}"} & words]


def elsewhere(files: Sources) -> list[str]:
    """Literals in Japanese that stand in no table."""
    return [f"{path}: {literal}" for path, text in files.items()
            if not path.startswith(TABLES) and not OTHER.fullmatch(path)
            for literal in CODE.findall(text) if JAPANESE.search(literal)]


# A count before what it counts; "at most 5 lines" is a limit, never one.
COUNTED = re.compile(
    r"(?<!at most )(?:%[.*]*(?:zu|u|d|llu|lld|s)|%<PRI\w+>) (?:agents|messages"
    r"|lines|events|processes|calls|iterations|roles|things|files|clients"
    r"|groups|conflicts|budgets|changes|settings|warnings)\b")
# Kinds and not counts, or always many.
NOT_ONE = {"GROUP_MODE_MISMATCH", "GROUPS_MORE", "LOG_TOO_MANY_CLIENTS"}


def one_is_many(files: Sources) -> list[str]:
    """Texts that would say "1 agents": they want a form for one."""
    en = all_of(files, "EN")
    return [f"EN_{name}: {text}" for name, text in en.items()
            if COUNTED.search(text) and name not in NOT_ONE
            and not {f"{name}_ONE", name.replace("_MANY", "_ONE"),
                     name.replace("_SOME_", "_ONE_")} & (set(en) - {name})]


CHECKS = (one_is_many, unlike, strangers, mismatched, japanese_in_english,
          english_in_japanese, unused, elsewhere)


# ---- the tables that are there ---------------------------------------------

def holds(check) -> None:
    wrong = check(sources())
    assert not wrong, "\n".join(wrong)


@tap.test
def both_languages_have_the_same_names() -> None:
    holds(unlike)
    holds(strangers)


@tap.test
def conversions_agree() -> None:
    holds(mismatched)


@tap.test
def each_language_keeps_to_itself() -> None:
    holds(japanese_in_english)
    holds(english_in_japanese)


@tap.test
def one_is_not_many() -> None:
    holds(one_is_many)


@tap.test
def every_message_is_said() -> None:
    holds(unused)


@tap.test
def no_text_stands_elsewhere() -> None:
    holds(elsewhere)


@tap.test
def there_is_something_to_hold() -> None:
    assert len(all_of(sources(), "JA")) > 500
    door = (ROOT / "config/messages.h").read_text()
    for path in sources():
        if path.startswith(TABLES):
            assert f'#include "{path}"' in door, path


# ---- each check finds what it is for ---------------------------------------

JA, EN, USER = TABLES + "a_ja.h", TABLES + "a_en.h", "actors/a.c"
WHOLE = {
    JA: '#define JA_ONE "ハブ %s は %d です"\n#define JA_TWO \\\n'
        '    "残り %" PRIu64 " 件。" \\\n    "list_agents を参照\\n"\n',
    EN: '#define EN_ONE "hub %s is %d"\n#define EN_TWO \\\n'
        '    "%" PRIu64 " are left; see list_agents\\n"\n',
    USER: 'x = MESSAGE(en, ONE); /* "注" */ y = BOTH(TWO);\n',
}


def planted(path: str, old: str, new: str) -> dict[str, list[str]]:
    """What each check says of a small house with one thing changed."""
    assert old in WHOLE[path], old
    files = {**WHOLE, path: WHOLE[path].replace(old, new)}
    return {c.__name__: said for c in CHECKS if (said := c(files))}


@tap.test
def a_whole_house_is_left_alone() -> None:
    assert planted(USER, "x", "x") == {}


@tap.test
def a_planted_fault_is_found() -> None:
    line = '#define JA_TWO \\\n'
    for path, old, new, check, words in (
            (JA, "JA_ONE", "JA_NEW", "unlike", "ONE is in one language"),
            (EN, "EN_TWO", "EN_ALSO", "unlike", "ALSO is in one language"),
            (JA, line, '#define JA_ONE "二度"\n' + line, "strangers", "twice"),
            (JA, line, '#define EN_X "x"\n' + line, "strangers", "EN_X"),
            (JA, "%d", "%u", "mismatched", "ONE"),
            (JA, "%s は %d", "%d は %s", "mismatched", "ONE"),
            (JA, " は %d", "", "mismatched", "ONE"),
            (EN, '%" PRIu64 " are', "%u are", "mismatched", "TWO"),
            (EN, "hub", "ハブ", "japanese_in_english", "EN_ONE"),
            (EN, "is %d", "has %d agents", "one_is_many", "EN_ONE"),
            (EN, "are left", "agents are left", "one_is_many", "EN_TWO"),
            (JA, "ハブ", "hub が broken", "english_in_japanese", "broken"),
            (JA, "list_agents", "see list_agents", "english_in_japanese", "see"),
            (USER, "ONE", "OTHER", "unused", "ONE"),
            (USER, "BOTH(TWO)", '"TWO"', "unused", "TWO"),
            (USER, "ONE", '"日本語"', "elsewhere", "日本語")):
        said = planted(path, old, new)
        assert check in said and words in "\n".join(said[check]), (new, said)


@tap.test
def another_order_is_found() -> None:
    first, rest = WHOLE[EN].split("\n", 1)
    said = planted(EN, WHOLE[EN], rest + first + "\n")
    assert said == {"unlike": ["a: another order from ONE on"]}, said


if __name__ == "__main__":
    tap.run()
