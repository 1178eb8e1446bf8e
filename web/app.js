// SPDX-License-Identifier: MIT
// The live view: one socket, the whole picture first, then what changes.
"use strict";

const TEXTS = {
  en: { heads: ["agent", "status", "time", "tools", "last words"], live: "live",
    lost: "the hub is away; trying again", none: "No groups yet." },
  ja: { heads: ["Agent", "状態", "時間", "ツール", "直近の発言"], live: "接続中",
    lost: "ハブに接続できません。再接続します", none: "グループはまだありません。" },
};
const groups = new Map();
const agents = new Map();
const dirty = new Set();
let seq = 0, texts = TEXTS.en, delay = 250;

const state = document.getElementById("state");
const main = document.getElementById("groups");

function row(agent) {
  const tr = document.createElement("tr");
  for (let i = 0; i < 5; i++) tr.append(document.createElement("td"));
  tr.id = `agent-${agent.agentId}`;
  return tr;
}

function section(group) {
  const made = document.getElementById("group").content.cloneNode(true).firstElementChild;
  made.id = `group-${group.id}`;
  made.querySelectorAll("th").forEach((th, i) => { th.textContent = texts.heads[i]; });
  main.append(made);
  return made;
}

function showGroup(group) {
  const place = document.getElementById(`group-${group.id}`) ?? section(group);
  const title = place.querySelector("h2");
  const about = document.createElement("small");
  about.textContent = ` ${group.mode} · ${group.id}`;
  title.replaceChildren(group.description || group.id, about);
  return place;
}

function showAgent(agent) {
  const group = groups.get(agent.groupId);
  if (!group) return;
  const place = document.getElementById(`group-${group.id}`) ?? showGroup(group);
  const tr = document.getElementById(`agent-${agent.agentId}`) ?? row(agent);
  const cells = [agent.agentId, agent.status, `${((agent.elapsed_ms ?? 0) / 1000).toFixed(1)} s`,
    agent.toolCallCount ?? 0, agent.lastAssistantMessage ?? agent.result?.summary ?? ""];
  cells.forEach((text, i) => { tr.children[i].textContent = text; });
  tr.children[1].dataset.status = agent.status;
  tr.children[1].dataset.outcome = agent.outcome ?? "";
  if (!tr.isConnected) place.querySelector("tbody").append(tr);
}

function paint() {
  for (const id of dirty) {
    const agent = agents.get(id);
    if (agent) showAgent(agent);
  }
  dirty.clear();
  if (groups.size === 0) main.textContent = texts.none;
}

function touch(id) {
  if (dirty.size === 0) requestAnimationFrame(paint);
  dirty.add(id);
}

function addGroup(data) {
  const group = { ...data, id: data.id ?? data.groupId };
  if (groups.size === 0) main.replaceChildren();
  groups.set(group.id, group);
  showGroup(group);
}

function addAgent(data) {
  const agent = Object.assign(agents.get(data.agentId) ?? {}, data);
  agents.set(data.agentId, agent);
  touch(data.agentId);
}

function begin(data) {
  groups.clear();
  agents.clear();
  main.replaceChildren();
  texts = TEXTS[data.language] ?? TEXTS.en;
  document.documentElement.lang = data.language ?? "en";
  state.textContent = texts.live;
  data.groups.filter(g => g.status !== "deleted").forEach(addGroup);
  data.agents.forEach(addAgent);
  touch("");
}

function hear({ type, data, seq: number }) {
  if (number) seq = number;
  if (type === "server:startup" && data.groups) begin(data);
  else if (type === "group:created" || type === "group:updated") addGroup(data);
  else if (type === "group:deleted") {
    groups.delete(data.groupId);
    document.getElementById(`group-${data.groupId}`)?.remove();
    touch("");
  } else if (type === "agent:result_reported") addAgent({ agentId: data.agentId, result: data });
  else if (type.startsWith("agent:")) addAgent(data);
}

function connect() {
  const socket = new WebSocket(`ws://${location.host}/ws${seq ? `?since=${seq}` : ""}`);
  socket.onmessage = message => hear(JSON.parse(message.data));
  socket.onopen = () => { delay = 250; state.textContent = texts.live; };
  socket.onclose = () => {
    state.textContent = texts.lost;
    setTimeout(connect, delay);
    delay = Math.min(delay * 2, 5000);
  };
}

connect();
