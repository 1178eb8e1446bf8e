# SPDX-License-Identifier: MIT
"""Agents that write to each other, as one would see it."""

REVIEW = """Read it. Two things:

1. connect_once() keeps the descriptor when dial() fails.
2. No test has a peer that resets.

The rest is good; the names say what they do."""


def send(talk, sender, content, receiver=None, **more):
    to = {} if receiver is None else {"receiver_id": receiver}
    return talk.call("agent_send_message", sender_id=sender, content=content,
                     **to, **more)


def read(talk, agent, **more):
    talk.call("agent_receive_messages", agent_id=agent, **more)


def play(talk, launched=None):
    """Conversations, unread ones among them, and what is shared."""
    for agent, name, what in (
            ("director", "Director", "Shares out the work"),
            ("coder", "Coding Agent", "Handles code implementation tasks"),
            ("reviewer", "Reviewer", None)):
        talk.call("agent_register", agent_id=agent, name=name,
                  description=what)
    talk.call("context_share", key="current_task", agent_id="director",
              value={"task_id": "TASK-001", "status": "in_progress"})
    talk.call("context_share", key="sensitive_config", agent_id="director",
              value={"api_key_hash": "abc123"}, access_level="restricted",
              allowed_agents=["coder", "tester"])
    send(talk, "director", "Starting new task: honest errors in net/",
         message_type="broadcast")
    send(talk, "director", "接続の失敗理由を呼び出し元に伝えてください。"
         "最初のエラーを残すこと。", "coder")
    read(talk, "coder")
    send(talk, "coder", "Code implementation complete. Ready for review.",
         "reviewer", metadata={"feature_id": "NET-7", "files_changed": 3})
    read(talk, "reviewer")
    send(talk, "reviewer", REVIEW, "coder")
    send(talk, "reviewer", "And the manual still names one attempt.", "coder")
    send(talk, "coder", "Feature implemented", "tester")
    if launched:
        send(talk, "director", "How far are you?", launched)
    send(talk, "director", "Pipeline stage: testing")
