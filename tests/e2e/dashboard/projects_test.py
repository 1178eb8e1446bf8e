#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Projects screen in a browser: the board of a project, tasks that people
move, who works there, handoffs; live, at past moments, by keys, on a phone,
whatever is written."""

from harness import tap
from harness.until import contains, equal
from page import page
from teashop import Shop

HOSTILE = ("<img src=x onerror=\"window.hit=1\"><script>window.hit=2</script>"
           " \u202eעברית " + "W" * 300)
IN = ("([s, w]) => JSON.stringify([...document.querySelectorAll("
      "`.column[data-status=${s}] .slip`)].map(e => e.dataset.task)) === "
      "JSON.stringify(w)")


def has(b, status, *tasks):
    b.wait(IN, [status, list(tasks)])


def asked(b, selector, words):
    b.wait(f"() => document.querySelector({selector!r}) !== null")
    b.until_text(words, selector)


@tap.test
def a_project_is_made_by_hand_and_a_passkey_is_seen_once():
    with page() as p:
        b = p.browser
        for width in (1440, 390):
            p.open("/projects", width=width)
            asked(b, ".projects-first", "No projects yet")
            equal(b.serious(), [])
            equal(b.sticks_out(), 0)
        p.open("/")
        b.click(".rail a[href='/projects']")
        b.click("[data-act=project]")
        b.fill("dialog [name=name]", "Tea shop")
        b.fill("dialog [name=directory]", "relative/path")
        b.click("dialog [type=submit]")
        # What is wrong is the hub's own word, and nothing typed is lost.
        b.until_text("working_directory", "dialog .bad-words")
        b.fill("dialog [name=directory]", "/srv/tea")
        equal(b.serious(), [])
        b.click("dialog [type=submit]")
        b.until_text("Tea shop", ".projects .head h1")
        b.click("[data-act=agent]")
        b.fill("dialog [name=name]", "Dev")
        b.click("dialog [type=submit]")
        b.wait("() => document.querySelector('dialog .paste')?.textContent"
               ".length >= 16")
        b.click("dialog .primary")
        b.until_text("Dev", ".worker b")
        b.click("[data-act=task]")
        b.fill("dialog [name=title]", "Boil water")
        b.do("choose", selector="dialog [name=assignee]", value=b.look(
            "() => document.querySelector('.worker').dataset.worker"))
        b.click("dialog [type=submit]")
        b.until_text("Boil water", "[data-status=todo] .slip .title")
        b.until_text("Dev", "[data-status=todo] .slip")
        equal(b.serious(), [])


@tap.test
def a_board_shows_what_is_and_follows():
    with page() as p:
        b = p.browser
        shop = Shop(p.home).open()
        p.open("/projects")
        has(b, "todo")
        token = shop.fill()
        has(b, "backlog", "tsk_cups")
        has(b, "todo", "tsk_boil", "tsk_pour")
        has(b, "in_progress", "tsk_list")
        has(b, "blocked", "tsk_cart")
        has(b, "cancelled", "tsk_sign")
        b.until_text("waits for 1 task", "[data-task=tsk_pour] .why")
        b.until_text("The prices are not decided.", "[data-task=tsk_cart]")
        b.until_text("At work", "[data-worker=agt_dev] .st")
        b.until_text("A list with prices", "[data-worker=agt_dev] .at-task")
        b.until_text("Please look at the prices", ".handoff[data-taken=no]")
        b.until_text("0 / 5", ".head .progress")
        for width in (390, 820, 1440):
            p.open("/projects", width=width)
            has(b, "in_progress", "tsk_list")
            equal(b.serious(), [])
            equal(b.sticks_out(), 0)
        # The one who takes it over ends it.
        shop.do("logout", token=token)
        b.until_text("Waiting", "[data-worker=agt_dev] .st")
        token = shop.login("agt_rev")
        shop.do("get_my_task", token=token)
        b.until_text("Taken", ".handoff[data-taken=yes]")
        shop.do("report_completed", token=token, result="success",
                summary="Twelve teas.")
        has(b, "done", "tsk_list")
        b.until_text("1 / 5", ".head .progress")
        b.until_text("Waiting", "[data-worker=agt_rev] .st")
        b.fill(".filters [name=find]", "WATER")
        has(b, "todo", "tsk_boil")
        has(b, "done")
        p.open("/projects", language="ja")
        b.until_text("進行中", "[data-status=in_progress] h2")


@tap.test
def a_task_is_moved_by_mouse_and_by_keys():
    with page() as p:
        b = p.browser
        shop = Shop(p.home).open()
        shop.task("tsk_a", "First", assignee_id="agt_dev")
        p.open("/projects")
        has(b, "backlog", "tsk_a")
        b.do("drag", selector="[data-task=tsk_a]",
             to=".column[data-status=todo]")
        has(b, "todo", "tsk_a")
        # By keys, and the focus stays with it.
        b.press("j")
        b.press("j")
        b.wait("() => document.activeElement?.dataset.task === 'tsk_a'")
        b.press("Shift+ArrowRight")
        has(b, "in_progress", "tsk_a")
        b.wait("() => document.activeElement?.dataset.task === 'tsk_a'")
        equal(b.look("() => new URLSearchParams(location.search).get('at')"),
              None)
        b.press("Shift+ArrowLeft")
        has(b, "todo", "tsk_a")
        # Where it may not go it does not, and the hub's refusal is told.
        b.do("drag", selector="[data-task=tsk_a]",
             to=".column[data-status=done]")
        has(b, "todo", "tsk_a")
        shop.task("tsk_b", "Second", status="todo")
        has(b, "todo", "tsk_a", "tsk_b")
        b.do("drag", selector="[data-task=tsk_b]",
             to=".column[data-status=in_progress]")
        b.wait("() => document.querySelector('.refused')")
        has(b, "todo", "tsk_a", "tsk_b")
        equal(b.serious(), [])


@tap.test
def a_tasks_sheet_has_all_of_it_and_changes_it():
    with page() as p:
        b = p.browser
        Shop(p.home).open().fill()
        p.open("/projects?task=tsk_list")
        asked(b, ".task-sheet h2", "A list with prices")
        b.until_text("The list is there", ".task-sheet .kept-one")
        b.until_text("Please look at the prices", ".task-sheet .kept-one")
        b.until_text("To do → In progress", ".became")
        equal(b.serious(), [])
        p.go("/projects?task=tsk_pour")
        asked(b, ".task-sheet h2", "Pour it")
        b.wait("() => document.querySelector('.moves [data-to=in_progress]')"
               ".disabled")
        b.do("choose", selector=".task-sheet [name=assignee]", value="agt_rev")
        b.until_text("Reviewer", "[data-task=tsk_pour] .whose-task")
        b.click("[data-act=edit]")
        b.fill("dialog.pm-form [name=title]", "Pour slowly")
        b.click("dialog.pm-form [type=submit]")
        b.until_text("Pour slowly", ".task-sheet h2")
        b.click(".moves [data-to=backlog]")
        has(b, "backlog", "tsk_pour", "tsk_cups")
        b.press("Escape")
        b.wait("() => !document.querySelector('dialog[open]')")
        p.go("/projects?task=tsk_gone")
        asked(b, ".task-sheet .trouble", "There is no such task")


@tap.test
def a_past_moment_has_what_was_there_then():
    with page() as p:
        b = p.browser
        shop = Shop(p.home).open()
        shop.task("tsk_a", "First", assignee_id="agt_dev", status="todo")
        p.open("/projects")
        has(b, "todo", "tsk_a")
        at = p.moment_of("pm:task")
        shop.move("tsk_a", "in_progress", "done")
        has(b, "done", "tsk_a")
        p.go(f"/projects?at={at}")
        b.wait("() => document.querySelector('.app.past .board')")
        has(b, "todo", "tsk_a")
        has(b, "done")
        equal(b.look("() => document.querySelectorAll('[data-act], "
                     "[draggable=true]').length"), 0)
        b.click("[data-task=tsk_a]")
        b.wait("() => document.querySelector('.task-sheet .kv')")
        equal(b.look("() => document.querySelector('.moves')"), None)
        b.press("Escape")
        b.wait("() => !document.querySelector('dialog[open]')")
        b.click(".live-btn")
        has(b, "done", "tsk_a")


@tap.test
def what_is_written_is_shown_as_text_and_never_run():
    with page() as p:
        b = p.browser
        shop = Shop(p.home).open()
        shop.do("update_project", project_id="prj_tea",
                name=HOSTILE[:200], description=HOSTILE * 10)
        shop.task("tsk_" + "x" * 60, HOSTILE, description=HOSTILE * 20,
                  assignee_id="agt_dev", status="todo")
        for i in range(120):
            shop.task(f"tsk_{i}", f"{i} {HOSTILE}")
        for width in (1440, 820, 390):
            p.open("/projects", width=width)
            b.until_text("window.hit=1", "[data-status=todo] .title")
            b.wait("() => document.querySelectorAll('[data-status=backlog] "
                   ".slip').length === 50")
            equal(b.look("() => window.hit"), None)
            equal(b.look("() => document.querySelectorAll('.projects img, "
                         ".projects script').length"), 0)
            equal(b.sticks_out(), 0)
            equal(b.serious(), [])
            p.go(f"/projects?task=tsk_{'x' * 60}")
            asked(b, ".task-sheet h2", "window.hit=1")
            equal(b.sticks_out(), 0)
        contains(b.do("text", selector=".task-sheet"), "window.hit=2")


if __name__ == "__main__":
    tap.run()
