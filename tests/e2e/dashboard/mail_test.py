#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Mail screen in a browser: conversations, what is unread, what is shared
with whom; live, at past moments, by keys, on a phone, whatever is written."""

import post
from harness import tap
from harness.until import contains, equal
from page import page
from post import read, send

TALKS = "() => [...document.querySelectorAll('.talk')].map(e => e.innerText)"
LETTERS = ("() => [...document.querySelectorAll('.letter')]"
           ".map(e => e.querySelector('.words').textContent)")
BOXES = ("() => Object.fromEntries([...document.querySelectorAll('.box-row')]"
         ".map(e => [e.querySelector('.name').textContent, "
         "Number(e.querySelector('.count')?.textContent ?? 0)]))")
HOSTILE = ("<img src=x onerror=\"window.hit=1\"><script>window.hit=2</script>"
           "[six](javascript:window.hit=6) \u202eעברית " + "W" * 400)


def count(b, selector, wanted):
    b.wait("([s, n]) => document.querySelectorAll(s).length === n",
           [selector, wanted])


def is_open(b, path, mark):
    b.wait("s => document.querySelector(s) && "
           "!document.querySelector('.ghost')", mark)


@tap.test
def without_mail_it_says_how_agents_write():
    with page() as p:
        for width in (1440, 390):
            p.open("/mail", width=width)
            p.browser.until_text("No agent has written to another yet",
                                 ".first h1")
            p.browser.until_text("agent_send_message", ".paste")
            equal(p.browser.serious(), [])
            equal(p.browser.sticks_out(), 0)
        p.open("/mail", language="ja")
        p.browser.until_text("エージェントどうしの連絡はまだありません")
        # The first word of anybody ends that.
        send(p.talk, "a", "hello", "b")
        p.browser.until_text("hello", ".letter")


@tap.test
def conversations_are_shown_and_follow_what_is_written():
    with page() as p:
        b = p.browser
        post.play(p.talk)
        p.open("/")
        b.click(".rail a[href='/mail']")
        is_open(b, "/mail", ".letter")
        # The newest is open: what was said to all.
        equal(b.look(LETTERS), ["Starting new task: honest errors in net/",
                                "Pipeline stage: testing"])
        b.until_text("read by 2 agents", ".letter:first-child")
        b.until_text("read by nobody yet", ".letter:last-child")
        count(b, ".talk", 4)
        equal(b.look(BOXES), {"director": 0, "coder": 3, "reviewer": 1,
                              "tester": 3})
        b.click(".talk[href*='coder'][href*='reviewer']")
        b.until_text("Ready for review.", ".letter")
        equal(b.look("() => [...document.querySelectorAll('.letter footer')]"
                     ".map(e => e.textContent.replace(/[0-9:]+/, ''))"),
              ["read at ", "unread", "unread"])
        # Live: what is written and read appears by itself.
        send(p.talk, "coder", "Mended, with a test.", "reviewer")
        b.until_text("Mended, with a test.", ".letter")
        read(p.talk, "coder")
        b.wait("() => document.querySelectorAll('.letter .unread').length "
               "=== 1")
        b.wait("() => ![...document.querySelectorAll('.box-row')].some(e => "
               "e.textContent.startsWith('coder') && e.querySelector("
               "'.count'))")
        # What is shared, and with whom.
        b.until_text("only director, coder, tester", ".value .readers")
        b.until_text("everybody", ".value .readers")
        b.click(".value:first-child summary")
        b.until_text("TASK-001", ".value pre")
        p.talk.call("context_share", key="current_task", agent_id="director",
                    value="done")
        b.wait("() => document.querySelector('.value pre').textContent === "
               "'\"done\"'")
        equal(b.serious(), [])


@tap.test
def a_past_moment_has_what_was_there_then():
    with page() as p:
        b = p.browser
        send(p.talk, "a", "first", "b")
        p.talk.call("context_share", key="k", value="old", agent_id="a")
        p.open("/mail")
        b.until_text("first", ".letter")
        at = p.moment_of("context:shared")
        send(p.talk, "b", "second", "a")
        read(p.talk, "b")
        p.talk.call("context_share", key="k", value="new", agent_id="a",
                    access_level="restricted")
        p.go("/mail")
        b.until_text("second", ".letter")
        count(b, ".letter .unread", 1)
        p.go(f"/mail?at={at}")
        b.wait("() => document.querySelector('.app.past .letter .unread')")
        equal(b.look(LETTERS), ["first"])
        equal(b.look(BOXES), {"a": 0, "b": 1})
        b.until_text("everybody", ".value .readers")
        b.click(".value summary")
        b.until_text('"old"', ".value pre")
        # What is written now does not show in the past.
        send(p.talk, "a", "third", "b")
        b.click(".live-btn")
        b.until_text("third", ".letter")
        b.until_text("only a", ".value .readers")
        # Before the first word there was none.
        p.go(f"/mail?at={at - 3_600_000}")
        b.wait("() => document.querySelector('.app.past')")


@tap.test
def on_a_phone_there_is_one_thing_at_a_time():
    with page() as p:
        b = p.browser
        post.play(p.talk)
        p.open("/mail", width=390, height=844)
        is_open(b, "/mail", ".talk")
        equal(b.look("() => document.querySelector('.letter')"), None)
        b.click(".talk[href*='coder'][href*='reviewer']")
        b.until_text("Ready for review.", ".letter")
        equal(b.sticks_out(), 0)
        b.click(".thread-head .back")
        b.wait("() => !document.querySelector('.letter')")
        b.click(".mail-views button:nth-child(2)")
        b.wait("() => document.querySelector('.box-row').offsetParent && "
               "!document.querySelector('.talk').offsetParent")
        b.click(".mail-views button:nth-child(3)")
        b.wait("() => document.querySelector('.value').offsetParent")
        equal(b.sticks_out(), 0)
        equal(b.serious(), [])


@tap.test
def keys_lead_there_and_through_it():
    with page() as p:
        b = p.browser
        post.play(p.talk)
        p.open("/")
        b.press("m")
        is_open(b, "/mail", ".letter")
        b.press("j")
        b.press("j")
        b.press("Enter")
        b.wait("() => document.querySelectorAll('.talk')[1]"
               ".getAttribute('aria-current') === 'true'")
        b.press("k")
        b.press("Enter")
        b.wait("() => document.querySelectorAll('.talk')[0]"
               ".getAttribute('aria-current') === 'true'")


@tap.test
def what_is_written_is_shown_as_text_and_never_run():
    with page() as p:
        b = p.browser
        name = "<b>x</b>" + "n" * 100
        send(p.talk, name, HOSTILE, "victim",
             metadata={"<script>": HOSTILE})
        send(p.talk, name, "y" * 900_000, "victim")
        p.talk.call("context_share", key="<i>" + "k" * 200, value=HOSTILE,
                    agent_id=name, access_level="restricted",
                    allowed_agents=[HOSTILE[:120]])
        for width in (1440, 820, 390):
            p.open("/mail?one=victim&other=" + b.look(
                "n => encodeURIComponent(n)", name) if width != 1440
                else "/mail", width=width)
            b.until_text("window.hit=1", ".words")
            contains(b.do("text", selector=".letters"), HOSTILE[:60])
            equal(b.look("() => document.querySelectorAll('.mail img, .mail "
                         "script, .words a').length"), 0)
            equal(b.look("() => window.hit"), None)
            equal(b.sticks_out(), 0)
            # The long one is folded, and says how much of it is here.
            assert b.look("() => document.querySelectorAll('.words')[1]"
                          ".textContent.length") < 2000
            equal(b.serious(), [])
        b.click(".letter:last-child .sheet > .btn")
        b.until_text("64.0 KB", ".letter:last-child")


if __name__ == "__main__":
    tap.run()
