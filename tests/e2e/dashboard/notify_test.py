#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Notifications in Chromium: allowed by a click, shown once by whatever number
of tabs, listed behind the bell, and not shown again by a page that comes later
or by a hub that was started anew.

What is shown goes to Chromium's own Notification; a headless one has no screen
to show it on, so the page's calls of it are noted beside."""

from harness import tap
from harness.browser import Browser
from harness.hub import HubHome
from harness.tools import new_group, start_agents, wait_for
from harness.until import equal, until

YAML = """
language: en
dashboard: {port: 0}
notifications:
  {failed: [browser], groupDone: [], interval_ms: 0}
"""
# Every tab notes in what all tabs of the browser share.
NOTING = """() => {
  const Real = Notification;
  globalThis.Notification = class extends Real {
    constructor(title, options) {
      super(title, options);
      const all = JSON.parse(localStorage.getItem('test') ?? '[]');
      localStorage.setItem('test', JSON.stringify([...all, [title, options]]));
    }
  };
}"""
SHOWN = "() => JSON.parse(localStorage.getItem('test') ?? '[]')"


def fail(home, count):
    """So many agents of one group fail, and it is raised."""
    with home.session() as w:
        group = new_group(w)
        before = len(w.call("notifications")["events"])
        wait_for(w, *start_agents(w, *["failure"] * count, group=group))
        until(lambda: sum(e["data"]["count"] for e in
                          w.call("notifications")["events"][:-before or None])
              == count, "all of them raised")


def listed(browser, count):
    browser.wait("n => document.querySelectorAll('#notes li').length >= n",
                 count)
    return browser.look("() => [...document.querySelectorAll('#notes li')]"
                        ".map(l => l.textContent)")


@tap.test
def a_notification_is_shown_once():
    with Browser() as b, HubHome(YAML) as home:
        url = home.serve()
        b.do("open", width=1440, height=900, language="en", theme="dark")
        b.do("before", script=NOTING)
        b.goto(url)
        b.wait("() => document.querySelector('.bell')")
        # Nothing was asked of the person who has opened the page.
        equal(b.look("() => Notification.permission") == "granted", False)
        b.click(".bell")
        b.until_text("Nothing has been told yet", "#notes")
        b.do("grant", permissions=["notifications"])
        b.do("reload")
        b.wait("() => Notification.permission === 'granted'")
        for _ in range(2):
            b.do("tab")
            b.goto(url)
            b.wait("() => document.querySelector('.verdict, .first')")
        fail(home, 1)
        b.wait("() => document.querySelector('.bell b')?.textContent === '1'")
        b.wait(f"() => ({SHOWN})().length > 0")
        (title, options), = b.look(SHOWN)
        equal(title, "1 agent has failed")
        assert options["tag"].startswith("notification-"), options
        # Whoever reads the page to its person says it too.
        b.until_text("1 agent has failed", "[aria-live=polite]")

        # It is listed, and leads to the agent.
        b.click(".bell")
        equal(len(listed(b, 1)), 1)
        equal(b.serious(), [])
        b.press("Tab")
        b.click("#notes li a")
        b.wait("() => location.pathname.startsWith('/agents/')")
        b.wait("() => !document.querySelector('.bell b')")

        # A page that comes later lists it, and shows nothing.
        b.do("reload")
        b.wait("() => document.querySelector('.bell')")
        b.click(".bell")
        equal(len(listed(b, 1)), 1)

        # The next hub tells what is new, and that alone.
        home.run("stop")
        home.servers[-1].wait()
        home.configure(YAML.replace("port: 0", f"port: {url.split(':')[2][:-1]}"))
        home.serve()
        fail(home, 2)
        b.wait("() => [...document.querySelectorAll('#notes li')].length >= 2"
               " || document.querySelector('.bell b')")
        b.wait(f"() => ({SHOWN})().length > 1")
        told = [title for title, _ in b.look(SHOWN)]
        equal(told[0], "1 agent has failed")
        equal(sum(int(title.split()[0]) for title in told), 3)
        equal(len({o["tag"] for _, o in b.look(SHOWN)}), len(told))

        # A kind that is not wanted here is listed alone; the one after it
        # would come behind it.
        b.look("() => document.getElementById('notes').hidePopover()")
        b.click(".bell")
        b.click("#notes .wants label:nth-of-type(1) input")
        fail(home, 1)
        b.wait("n => document.querySelectorAll('#notes li').length > n",
               len(told))
        b.click("#notes .wants label:nth-of-type(1) input")
        fail(home, 1)
        b.wait(f"n => ({SHOWN})().length > n", len(told))
        equal(len(b.look(SHOWN)), len(told) + 1)


if __name__ == "__main__":
    tap.run()
