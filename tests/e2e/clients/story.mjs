// SPDX-License-Identifier: MIT
// One story in which every tool is called and answers well. `call(name, args)`
// gives what the tool has answered.
import assert from "node:assert/strict";

export const tools = [
  "create_group", "delete_group", "run_agents", "run_sequential",
  "run_magentic", "list_agents", "get_agent_status", "wait_agent",
  "report_result", "list_roles", "update_ledger", "cancel_agent",
  "list_groups", "agent_register", "agent_get", "agent_send_message",
  "agent_receive_messages", "context_share", "context_read",
  "inject_phase_prompt", "transition_to_next_phase", "get_phase_context",
  "save_phase_result", "health_check", "list_active_projects_with_agents",
  "should_start", "authenticate", "get_my_task", "get_my_profile", "list_tasks",
  "update_task_status", "report_completed", "logout", "get_agent_profile",
  "get_task", "create_handoff", "get_pending_handoffs", "accept_handoff",
  "save_context", "create_project", "create_agent", "assign_agent",
  "create_task", "assign_task", "list_projects", "get_project",
  "get_task_context",
];

const yes = { reason: "r", answer: true };
const no = { reason: "r", answer: false };
const text = { reason: "r", answer: "a" };
const quick = { role: "impl-code", prompt: "puppet: reply" };
export const hang = { role: "research", prompt: "puppet: hang" };

export async function waitFor(call, agentIds) {
  for (;;) {
    const seen = await call("wait_agent", { agentIds, timeout_ms: 20000 });
    if (!seen.timedOut) return seen;
  }
}

async function atOnce(call) {
  const { groupId } = await call("create_group", { description: "at once" });
  const { agents } = await call("run_agents", { groupId, agents: [quick, hang] });
  const [first, second] = agents.map((agent) => agent.agentId);
  const any = await call("wait_agent", { agentIds: [first, second], mode: "any" });
  assert.deepEqual(any.completed.map((a) => a.agentId), [first]);
  assert.deepEqual(any.pending.map((a) => a.agentId), [second]);
  const { result } = await call("get_agent_status", { agentId: first });
  assert.equal(result.status, "success");
  const report = { agentId: second, status: "success", summary: "s", response: "r" };
  assert.equal((await call("report_result", report)).registered, true);
  const list = await call("list_agents", { groupId, status: "completed" });
  assert.equal(list.total, 2);
  const { notRunning } = await call("cancel_agent", { agentIds: [first, second] });
  assert.deepEqual(notRunning, [first, second]);
  const { groups } = await call("list_groups", { limit: 1000 });
  assert.equal(groups.find((g) => g.groupId === groupId).agents.done, 2);
  assert.equal((await call("delete_group", { groupId })).deleted, true);
}

async function oneAfterTheOther(call) {
  const { groupId } = await call("create_group", { description: "d", mode: "sequential" });
  const plan = await call("run_sequential",
    { groupId, stages: [{ tasks: [quick, quick] }, { tasks: [quick] }] });
  assert.equal(plan.totalStages, 2);
  const ids = plan.agents.map((agent) => agent.agentId);
  const { completed } = await waitFor(call, ids);
  assert.deepEqual(completed.map((agent) => agent.status),
    ["completed", "completed", "completed"]);
}

async function byItself(call) {
  const { groupId, orchestratorAgentId } = await call("run_magentic",
    { description: "d", task: "puppet: hang", completionCriteria: "c", scope: "s" });
  await call("update_ledger", {
    groupId, type: "task", plan: ["one"],
    facts: { given: ["g"], toInvestigate: [], toDerive: [], assumptions: [] },
  });
  await call("update_ledger", {
    groupId, type: "progress", isRequestSatisfied: no, isInLoop: no,
    isProgressBeingMade: yes, nextAction: text, instruction: text,
  });
  const { cancelled } = await call("cancel_agent", { groupId, reason: "enough" });
  assert.deepEqual(cancelled, [orchestratorAgentId]);
  await waitFor(call, [orchestratorAgentId]);
}

async function byMail(call) {
  for (const name of ["left", "right"])
    assert.equal((await call("agent_register", { agent_id: name, name })).id, name);
  assert.equal((await call("agent_get", { agent_id: "right" })).name, "right");
  const { id } = await call("agent_send_message",
    { sender_id: "left", receiver_id: "right", content: "hello" });
  const { messages } = await call("agent_receive_messages",
    { agent_id: "right", wait_ms: 20000 });
  assert.deepEqual(messages.map((m) => [m.id, m.content]), [[id, "hello"]]);
  await call("context_share", { key: "k", value: { n: [1] }, agent_id: "left" });
  const { value } = await call("context_read", { key: "k", agent_id: "right" });
  assert.deepEqual(value, { n: [1] });
}

async function byPhases(call) {
  const { metadata } = await call("inject_phase_prompt", { phase: "phase0" });
  assert.deepEqual([metadata.phase, metadata.cached], ["phase0", false]);
  const saved = { phase: "phase0", result: { checkpoint: "c", data: { n: 1 } } };
  assert.ok((await call("save_phase_result", saved)).savedAt);
  const { nextPhase } = await call("transition_to_next_phase",
    { currentPhase: "phase0", result: { status: "completed" } });
  assert.equal(nextPhase, "phase1");
  const { context } = await call("get_phase_context", { phase: "phase0" });
  assert.equal(context.status, "completed");
}

// Two agents, of whom the first hands the second task over to the other.
export async function setUpProject(call) {
  const project_id = "prj_shop";
  await call("create_project", { name: "Shop", project_id, working_directory: "/" });
  assert.equal((await call("list_projects", {})).total, 1);
  const keys = {};
  for (const agent_id of ["agt_dev", "agt_rev"]) {
    keys[agent_id] = (await call("create_agent", { name: agent_id, agent_id })).passkey;
    await call("assign_agent", { project_id, agent_id });
  }
  for (const task_id of ["tsk_1", "tsk_2"])
    await call("create_task", { project_id, task_id, title: task_id, status: "todo" });
  return { project_id, keys };
}

async function byProjects(call) {
  const { project_id, keys } = await setUpProject(call);
  const start = (agent_id) => call("should_start", { agent_id, project_id });
  const login = async (agent_id) => (await call("authenticate",
    { agent_id, project_id, passkey: keys[agent_id] })).token;
  assert.equal((await call("health_check", {})).project_count, 1);
  const { projects } = await call("list_active_projects_with_agents", {});
  assert.deepEqual(projects[0].agents, ["agt_dev", "agt_rev"]);
  for (const task_id of ["tsk_1", "tsk_2"])
    await call("assign_task", { task_id, assignee_id: "agt_dev" });
  assert.equal((await start("agt_dev")).reason, "no_task");
  await call("update_task_status", { task_id: "tsk_1", status: "in_progress" });
  assert.equal((await start("agt_dev")).should_start, true);
  let token = await login("agt_dev");
  assert.equal((await start("agt_dev")).reason, "already_running");
  assert.equal((await call("get_my_profile", { token })).id, "agt_dev");
  assert.equal((await call("get_my_task", { token })).task.task_id, "tsk_1");
  await call("save_context", { task_id: "tsk_1", progress: "p", token });
  assert.equal((await call("get_task", { task_id: "tsk_1" })).latest_context.progress, "p");
  const done = await call("report_completed", { token, result: "success", summary: "s" });
  assert.equal(done.new_status, "done");
  const { latest_context } = await call("get_task_context", { task_id: "tsk_1" });
  assert.equal(latest_context.progress, "s");
  const { handoff } = await call("create_handoff", {
    task_id: "tsk_2", from_agent_id: "agt_dev", to_agent_id: "agt_rev", summary: "yours" });
  assert.equal((await call("get_pending_handoffs", { agent_id: "agt_rev" })).total, 1);
  await call("accept_handoff", { handoff_id: handoff.id, agent_id: "agt_rev" });
  token = await login("agt_rev");
  assert.equal((await call("get_my_task", { token })).task.handoff.summary, "yours");
  await call("update_task_status", { task_id: "tsk_2", status: "done", token });
  await call("logout", { token });
  assert.equal((await call("list_tasks", { status: "done" })).total, 2);
  assert.equal((await call("get_project", { project_id })).summary.completed_tasks, 2);
  assert.equal((await call("get_agent_profile", { agent_id: "agt_rev" })).name, "agt_rev");
}

// A client that is started for every call does the last part in one era only:
// there is nothing in it that the others do not show.
export async function story(call, withProjects = true) {
  const called = new Set();
  const noted = (name, args) => {
    called.add(name);
    return call(name, args);
  };
  const { roles } = await noted("list_roles", {});
  assert.ok(roles.some((role) => role.id === "impl-code"));
  await atOnce(noted);
  await oneAfterTheOther(noted);
  await byItself(noted);
  await byMail(noted);
  await byPhases(noted);
  const walked = withProjects ? tools : tools.slice(0, tools.indexOf("health_check"));
  if (withProjects) await byProjects(noted);
  assert.deepEqual([...called].sort(), [...walked].sort());
}
