# SPDX-License-Identifier: MIT
"""Calls that many tests begin with, by whatever client has a call()."""


def new_group(caller, **more):
    """Its id."""
    return caller.call("create_group", **{"description": "test",
                                          **more})["groupId"]


def start_agents(caller, *scenarios, group=None, role="impl-code", **more):
    """A puppet for each scenario, in a group of their own unless one is
    given: their ids."""
    group = group or new_group(caller)
    tasks = [{"role": role, "prompt": f"puppet: {scenario}", **more}
             for scenario in scenarios]
    made = caller.call("run_agents", groupId=group, agents=tasks)
    return [agent["agentId"] for agent in made["agents"]]


def wait_for(caller, *ids):
    """Until they have ended, however long that takes."""
    while caller.call("wait_agent", agentIds=list(ids))["timedOut"]:
        pass


def roles_are_judged(caller):
    """Whether no role's check is under way."""
    return not any(role.get("healthCheck", {}).get("status") == "pending"
                   for role in caller.call("list_roles")["roles"])
