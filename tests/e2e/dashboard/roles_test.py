#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Roles in a browser: what is edited, shown as it will be written, kept until
it is saved."""

import difflib

from harness import tap
from harness.until import contains, equal, until
from page import page


def shown_diff(b, where):
    """The lines that the page says are taken out and put in."""
    return b.look("s => [...document.querySelectorAll(`${s} .diff > .a, "
                  "${s} .diff > .d`)].map(e => (e.className === 'a' ? '+' : "
                  "'-') + e.lastElementChild.textContent)", where)


def written_diff(before, after):
    """The lines that were, by what is in the file."""
    lines = difflib.ndiff(before.splitlines(), after.splitlines())
    return sorted(x[0] + x[2:] for x in lines if x[0] in "+-")


@tap.test
def a_role_is_edited_in_the_file_and_the_file_on_the_page():
    with page() as p:
        config = p.home.config
        before = config.read_text()

        def until_file(word, is_there=True):
            return until(lambda: (said := config.read_text())
                         and (word in said) == is_there and said, word)
        p.open("/roles/impl-code")
        b = p.browser
        b.wait("() => document.querySelector('#role-name')?.value")
        # Changed, with what is shown being what is written.
        b.do("choose", selector="#role-model", value="composer-1.5")
        b.fill("#role-description", "writes: \"code\"")
        b.click(".tk input")
        b.do("choose", selector="#role-timeout", value="own")
        b.fill("#role-timeout-own", "90")
        b.until_text("timeout_ms: 90000", ".prev .diff .a")
        shown = shown_diff(b, ".prev")
        equal(b.serious(), [])
        b.click(".save .btn.primary")
        text = until_file("composer-1.5")
        equal(sorted(shown), written_diff(before, text))
        for kept in ("# Ours", "# The one that writes", "# the good one"):
            contains(text, kept)
        b.wait("() => document.querySelector('.save .btn.primary')?.disabled")
        b.until_text("file", "[data-field=model] .src")
        # A wrong value is told while it is typed, and cannot be saved.
        b.fill("#role-name", "")
        b.until_text("must not be empty", "[data-field=name]")
        b.wait("() => document.querySelector('.save .btn.primary')?.disabled")
        b.fill("#role-name", "x".rjust(300, "x"))
        b.until_text("1 to 256 bytes", "[data-field=name] [role=alert]")
        b.click(".save .btn:not(.primary)")
        # By hand: seen here, also under what is being edited.
        b.fill("#role-name", "On the page")
        config.write_text(text.replace(
            "    model:", "    name: By hand\n    model:"), encoding="utf-8")
        b.until_text("By hand", ".rl b")
        b.until_text("By hand", "[data-field=name] [role=alert]")
        b.click("[data-field=name] [role=alert] button")
        b.wait("() => document.querySelector('#role-name').value === 'By hand'")
        # Copied, disabled, deleted.
        b.click("[data-act=duplicate]")
        b.fill(".new-role [name=id]", "writer")
        b.until_text("- id: writer", "dialog .diff .a")
        equal(b.serious(), [])
        before = config.read_text()
        shown = shown_diff(b, "dialog")
        b.click("dialog .btn.primary")
        after = until_file("- id: writer")
        equal(sorted(shown), written_diff(before, after))
        b.wait("() => location.pathname === '/roles/writer' && "
               "document.querySelector('.form .id')?.title === 'writer'")
        b.click("[data-act=flip]")
        b.until_text("enabled: false", "dialog .diff .a")
        b.click("dialog .btn.primary")
        until_file("enabled: false")
        b.wait("() => document.querySelector('.rl.off[href$=writer]')")
        b.wait("() => !document.querySelector('dialog')")
        b.click("[data-act=delete]")
        b.until_text("- id: writer", "dialog .diff .d")
        b.click("dialog .btn.primary")
        equal(until_file("- id: writer", False), before)
        b.wait("() => !document.querySelector('.rl[href$=writer]')")
        # One that is built in can only be disabled.
        p.go("/roles/research")
        b.wait("() => document.querySelector('.form .id')?.title === "
               "'research'")
        equal(b.look("() => document.querySelector('[data-act=delete]')"), None)
        p.go("/system")
        b.until_text("agent.maxConcurrent", ".set")
        b.until_text("composer-1.5", "[data-backend=cursor] .models")


def role(b, id):
    b.click(f".rl[href$='/{id}']")
    b.wait("i => document.querySelector('.form .id')?.title === i", id)


MARKED = ("() => [...document.querySelectorAll('.rl')].filter(e => "
          "e.querySelector('.unsaved')).map(e => e.pathname.slice(7))")
ASKS = ("() => !window.dispatchEvent(new Event('beforeunload', "
        "{cancelable: true}))")


@tap.test
def what_is_not_saved_is_kept_until_it_is_saved_or_discarded():
    with page() as p:
        b = p.browser
        p.open("/roles/impl-code")
        b.wait("() => document.querySelector('#role-name')?.value")
        was = b.look("() => document.querySelector('#role-name').value")
        equal([b.look(MARKED), b.look(ASKS)], [[], False])
        b.fill("#role-name", "Scribe")
        b.fill("#role-systemPrompt", "Write it twice.")
        role(b, "research")
        b.fill("#role-description", "looks things up")
        equal(b.look(MARKED), ["impl-code", "research"])
        # Another role, another screen, and back: all of it is there.
        b.click(".rail a[href='/health']")
        b.wait("() => document.querySelector('.hp')")
        b.click(".rail a[href='/roles']")
        b.wait("() => document.querySelector('.rl')")
        role(b, "impl-code")
        equal(b.look("() => [document.querySelector('#role-name').value, "
                     "document.querySelector('#role-systemPrompt').value]"),
              ["Scribe", "Write it twice."])
        b.until_text("2 changes", ".save")
        b.until_text("Write it twice.", ".prev .diff .a")
        equal(b.look(ASKS), True)
        equal(b.serious(), [])
        # Typed back, discarded and saved are no edits any more.
        b.fill("#role-name", was)
        b.until_text("1 change", ".save")
        b.click(".save .btn:not(.primary)")
        b.wait("m => JSON.stringify((" + MARKED + ")()) === m",
               '["research"]')
        role(b, "research")
        b.until_text("looks things up", ".prev .diff .a")
        b.click(".save .btn.primary")
        b.until_text("Saved.", ".save")
        equal([b.look(MARKED), b.look(ASKS)], [[], False])
        contains(p.home.config.read_text(), "looks things up")


@tap.test
def an_edit_that_the_file_has_by_now_is_none():
    with page() as p:
        b = p.browser
        p.open("/roles/impl-code")
        b.wait("() => document.querySelector('#role-name')?.value")
        b.fill("#role-name", "By hand")
        equal(b.look(MARKED), ["impl-code"])
        p.home.config.write_text(p.home.config.read_text().replace(
            "    model:", "    name: By hand\n    model:"), encoding="utf-8")
        b.wait("() => !document.querySelector('.rl .unsaved')")
        b.until_text("Nothing is changed.", ".save")


if __name__ == "__main__":
    tap.run()
