# SPDX-License-Identifier: MIT
"""Projects on their way through the phases, as one would see it."""

import contextlib


def call(talk, tool, **args):
    result = talk.result(talk.order(tool, args))
    assert not result.get("isError"), f"{tool}: {result}"
    return result


def save(talk, phase, name, path=None, **data):
    call(talk, "save_phase_result", phase=phase,
         result={"checkpoint": name, "data": data},
         **({} if path is None else {"projectPath": path}))


def end(talk, phase, path=None, status="completed", **more):
    call(talk, "transition_to_next_phase", currentPhase=phase,
         result={"status": status, **more},
         **({} if path is None else {"projectPath": path}))


def play(talk, path=None):
    """Two phases are over, the third is under way."""
    save(talk, "phase0", "interview_completed", path, questions=5, answers=5)
    end(talk, "phase0", path, summary="要件定義・技術設計が完了しました。\n画面は 6 つ、"
        "エンティティは 4 つ。", outputFiles=[
            "docs/requirements.md", "docs/data-model.md", "docs/api-spec.md"])
    end(talk, "phase1", path, status="partial",
        outputFiles=["docs/design-system.md"],
        summary="Colours, type and spacing are decided; dark mode is not.")
    call(talk, "inject_phase_prompt", phase="phase2",
         **({} if path is None else {"projectPath": path}))
    save(talk, "phase2", "users_and_orders", path, users=24, orders=310)
    save(talk, "phase2", "prices_checked", path, products=48, remaining=[
        "images", "reviews in Japanese"])


@contextlib.contextmanager
def planned(home, name="tea-shop"):
    """Another project, which a plan of agents works on meanwhile: its path."""
    path = str(home.folder(name))
    with home.session() as wire:
        made = wire.ask("run_phases", {"text": "A shop.\npuppet: hang",
                                       "projectPath": path})
        yield path
        wire.ask("cancel_agent", {"groupId": made["groupId"]})
        wire.ask("delete_group", {"groupId": made["groupId"]})
