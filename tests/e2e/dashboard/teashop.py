# SPDX-License-Identifier: MIT
"""A project with tasks in every state, as one would see it."""

SECRET = "correct horse"


class Shop:
    """Two agents of a tea shop; `dev` is at work and has handed one task on."""

    def __init__(self, home):
        self.home = home

    def do(self, tool, **args):
        with self.home.session() as wire:
            return wire.ask(tool, args)

    def task(self, id, title, **more):
        self.do("create_task", task_id=id, project_id="prj_tea", title=title,
                **more)

    def move(self, id, *states):
        for state in states:
            self.do("update_task_status", task_id=id, status=state)

    def login(self, agent):
        return self.do("authenticate", agent_id=agent, project_id="prj_tea",
                       passkey=SECRET)["token"]

    def open(self, directory="/srv/tea"):
        self.do("create_project", project_id="prj_tea", name="Tea shop",
                description="A list with prices, a cart, an order by mail.",
                working_directory=directory)
        for id, name, more in (("agt_dev", "Dev", {"role": "Developer"}),
                               ("agt_rev", "Reviewer", {
                                   "role_type": "reviewer"})):
            self.do("create_agent", agent_id=id, name=name, passkey=SECRET,
                    max_parallel_tasks=2, **more)
            self.do("assign_agent", project_id="prj_tea", agent_id=id)
        return self

    def fill(self):
        """Something in every column."""
        self.task("tsk_boil", "Boil water", assignee_id="agt_dev",
                  status="todo", priority="urgent",
                  description="Ninety degrees for green tea.")
        self.task("tsk_pour", "Pour it over the leaves", status="todo",
                  assignee_id="agt_dev", dependencies=["tsk_boil"])
        self.task("tsk_cups", "Choose cups", priority="low")
        self.task("tsk_list", "A list with prices", assignee_id="agt_dev",
                  status="todo", priority="high")
        self.task("tsk_cart", "The cart", assignee_id="agt_rev",
                  status="todo")
        self.task("tsk_sign", "A sign above the door", status="todo",
                  assignee_id="agt_rev")
        self.move("tsk_sign", "cancelled")
        self.move("tsk_cart", "in_progress")
        self.do("update_task_status", task_id="tsk_cart", status="blocked",
                reason="The prices are not decided.")
        self.move("tsk_list", "in_progress")
        token = self.login("agt_dev")
        self.do("get_my_task", token=token)
        self.do("save_context", task_id="tsk_list", token=token,
                progress="The list is there", next_steps="Its prices")
        self.do("create_handoff", task_id="tsk_list", from_agent_id="agt_dev",
                to_agent_id="agt_rev", summary="Please look at the prices")
        return token
