# SPDX-License-Identifier: MIT
"""What the tests in Python share. Every suite imports it in one way, `from
harness import tap`: meson puts tests/ on PYTHONPATH and gives each script the
build directory (programs.py).

    tap until schema processes   verdicts, waiting, what is so
    sandbox                      a directory, and the end of what runs in it
    hub command                  a hub's home, and one for the command line
    mcp http websocket wire      speaking to a hub, in each of its languages
    tools                        calls that many tests begin with
    console agents health        parts of the hub, ordered by lines of JSON
    warden site                  a warden and its hub, a program with a port"""
