// Every word of the page in English. ja.ts has the same keys, or does not
// compile.

const n = (count: number, one: string, many: string) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

export const en = {
  screens: { live: 'Live', timeline: 'Time line', history: 'History', roles: 'Roles', health: 'Health', system: 'System' },
  status: {
    queued: 'Queued', running: 'Running', completed: 'Completed', resultReported: 'Reported', failed: 'Failed', timedOut: 'Timed out',
    cancelled: 'Cancelled', stalled: 'Stalled',
  },
  mode: { concurrent: 'Concurrent', sequential: 'Sequential', magentic: 'Magentic' },
  kind: { read: 'read', search: 'search', edit: 'edit', shell: 'shell', web: 'web', mcp: 'kuromajutsu', other: 'other' },
  outcome: { success: 'Success', failure: 'Failure', partial: 'Partly' } as Record<string, string>,

  frame: {
    screens: 'Screens', live: 'Live', past: 'Past', connecting: 'Connecting', catching: 'Catching up',
    events: (count: number) => n(count, 'event', 'events'), lost: (at: string) => `Lost since ${at}`,
    again: (s: number) => `trying again in ${s} s`, tryNow: 'Try now', ago: (d: string) => `${d} ago`,
    running: 'running', queued: 'queued', done: 'done', failed: 'failed', none: 'no agents yet', today: 'today', spent: 'spent',
    find: 'Search ids, prompts, summaries', language: '日本語にする', theme: 'Light or dark', keys: 'Keys', motion: 'Pause motion',
    skip: 'Skip to the content', close: 'Close', copy: 'Copy', copied: 'Copied', open: 'Open', more: 'More', notFound: 'There is no such page', home: 'Go to Live',
    flag: (count: number) => `${n(count, 'role is', 'roles are')} unavailable`,
  },
  verdict: {
    empty: 'No agents yet', well: 'On course', done: 'All done', needs: (count: number) => `On course, [[needs|${n(count, 'thing needs', 'things need')}]] you`,
    needsDone: (count: number) => `Done, [[needs|${n(count, 'thing needs', 'things need')}]] you`,
    needsIdle: (count: number) => `[[needs|${n(count, 'thing needs', 'things need')}]] you`, trouble: 'In trouble',
    ended: (e: number, all: number) => `[[ended|${e}]] of [[all|${all.toLocaleString('en')}]] ${all === 1 ? 'agent has' : 'agents have'} ended`,
    mix: (well: number, bad: number, cancelled: number) => `[[done|${well} well]], [[failed|${bad} badly]]${cancelled ? `, [[cancelled|${cancelled} cancelled]]` : ''}`,
    places: (held: number, max: number) => `[[running|${held}]] of [[places|${max} places]] in use`,
    now: 'Now', rate: (count: number, s: number) => `[[rate|${n(count, 'tool call', 'tool calls')}]] in the last ${s < 60 ? `${s} s` : 'minute'}`, more: (count: number) => `${count} more`, quiet: 'No tool is at work.',
    need: 'Needs you', nothing: 'Nothing. Enjoy the silence.',
    role: 'is unavailable', silent: (d: string, tool: string) => tool ? `silent for ${d} in ${tool}` : `silent for ${d}`,
    bad: (failed: number, timedOut: number) => [failed ? `${failed} failed` : '', timedOut ? `${timedOut} timed out` : ''].filter(Boolean).join(', '),
    inGroup: (title: string) => `in ${title}`, conflict: (count: number) => `written by ${count} agents at once`,
    budget: (spent: string, limit: string) => `${spent} of ${limit} are spent; no new agents start`, budgetName: 'Budget of today',
    stuck: 'makes no progress', trust: (count: number) => `${n(count, 'setting is', 'settings are')} withheld until you run kuromajutsu trust`, trustName: 'Configuration',
    show: 'Show', edit: 'Edit role',
  },
  live: {
    all: 'All', ended: 'Ended', done: 'Done well', bad: 'Ended badly', needsMe: 'Needs me', groups: (count: number) => n(count, 'group', 'groups'), newest: 'Newest first', oldest: 'Oldest first', cards: 'Cards', rows: 'Rows',
    cancel: 'Cancel', remove: 'Delete group', cancelAsk: (count: number) => `Cancel ${n(count, 'agent', 'agents')} of this group?`,
    cancelSay: 'What they have done so far stays. They cannot be resumed.', removeAsk: 'Delete this group?',
    removeSay: 'It leaves this screen. Its agents and results stay in History.', keep: 'Keep it', of: 'of', tokens: 'tokens',
    fold: 'Fold', unfold: 'Unfold', unsorted: 'Unsorted', noAgents: 'This group has no agents yet.',
    stage: (i: number) => `Stage ${i}`, waits: (i: number) => `waits for stage ${i}`, handed: (at: string) => `Handed on at ${at}`,
    toNext: (count: number) => `to ${n(count, 'prompt', 'prompts')}`,
    tasks: 'Plan', steps: (count: number) => n(count, 'step', 'steps'), stepsDone: (done: number, all: number) => `${done} of ${all} done`, moreSteps: (count: number) => `${n(count, 'more step', 'more steps')}`, comma: ', ', judgement: 'Judgement', iteration: (i: number, max: number) => `Iteration ${i} of ${max}`, iterationOnly: (i: number) => `Iteration ${i}`,
    noPlan: 'The orchestrator has not written its plan yet.', noJudgement: 'No judgement yet.', moving: 'Moving', stuck: 'Stuck', looping: 'Going in circles', satisfied: 'Satisfied',
    progress: (d: string) => `last word ${d} ago`, scope: 'Scope', criteria: 'Done when', next: 'Next',
    columns: ['State', 'Agent', 'About', 'Last words', 'Time', 'Tools', 'Files', 'Tokens', 'Cost'],
    moreRows: (count: number) => `${count} more. Failed first, then running, then the rest by time.`, fewer: 'Show fewer',
    silent: 'silent', alsoBy: 'also by', files: 'files touched', tools: 'tool calls', cells: (count: number) => `${count} agents by state`,
    nothingFits: 'No agent fits this filter.', showAll: 'Show all', onTimeline: 'On the time line', copyId: 'Copy id',
  },
  first: {
    title: 'No agents yet', say: "This hub runs and is reachable. Two steps are left, both in your project's directory.",
    tell: "Tell your editor's agent about Kuromajutsu", ask: 'Ask it to share work among sub-agents, for example',
    example: 'Review every package under src/ in parallel and sum up the results',
  },
  agent: {
    story: 'Story', changes: 'Changes', result: 'Result', prompt: 'Prompt', output: 'Output', process: 'Process',
    role: 'Role', model: 'Model', started: 'Started', queuedFor: (d: string) => `queued ${d}`, tokens: 'Tokens', tokensIn: (i: string, c: string, o: string) => `in ${i}, cached ${c}, out ${o}`,
    cost: 'Cost', tools: 'Tool calls', directory: 'Working directory', copyLink: 'Copy link', onTimeline: 'On the time line', cancel: 'Cancel', asPage: 'Open as a page',
    cancelAsk: 'Cancel this agent?', notFound: 'There is no such agent', following: 'Following', follow: 'Follow', ended: 'Ended',
    counts: (calls: number, messages: number) => `${n(calls, 'tool call', 'tool calls')}, ${n(messages, 'message', 'messages')}`,
    step: 'step', foldAll: 'fold all', failures: 'Unfold failures', thinking: 'Thinking', retry: (a: number, m: number) => m ? `Retry ${a} of ${m}` : `Retry ${a}`, notice: 'Notice', notices: { started: 'Started', result: 'Result', rateLimit: 'Rate limit', ask: 'It asked', childTask: 'Child task', error: 'Error', unknown: 'Unknown line', notJson: 'Not JSON', tooLong: 'Line too long' } as Record<string, string>, moreOfIt: (part: number, parts: number) => `Show more (${part} of ${parts} parts shown)`, moreFiles: (count: number) => `Show ${count.toLocaleString('en')} more files`, open: 'under way',
    earlier: 'Earlier entries', loading: 'Reading the story…', empty: 'It has not said anything yet.', noStory: 'This hub does not tell stories yet; the raw transcript is under Output.',
    linesBefore: (count: number) => `… ${count} lines before`, exit: (code: number) => `exit ${code}`, cut: 'cut; ask for all of it', newFile: 'new file', deleted: 'deleted', files: (count: number) => n(count, 'file', 'files'),
    noChanges: 'It has not changed any files.', noResult: 'No result yet.', reported: 'Reported', summary: 'Summary', error: 'Error',
    layers: { role: 'Role prompt', identity: 'Metadata: ids, how to report', tools: 'Tools', previousStage: 'Previous stage', task: 'Task', orchestration: 'Assignment of the orchestrator' } as Record<string, string>,
    promptUnknown: 'The prompt as composed is not known; this is the task.', layer: (i: number) => `Layer ${i}`,
    transcript: 'Transcript', stderr: 'stderr', searchHere: 'Search in what is shown', older: 'Older', newer: 'Newer', download: 'Download this page', emptyStderr: 'stderr is empty.',
    lines: (count: number) => n(count, 'line', 'lines'), pid: 'Process id', warden: 'Warden', exitCode: 'Exit', notYet: 'not yet', cpu: 'CPU', memory: 'Memory', peak: 'Largest', processes: 'Processes',
    commandLine: 'Command line', reason: 'Ended because', stdoutSize: 'Output', noProcess: 'Nothing is known of its process.', session: 'Session', beside: 'Beside it', askedBy: 'Asked by', stage: 'Stage', group: 'Group', task: 'Task', lastOutput: 'Last output',
  },
  timeline: {
    all: 'All groups', zoom: 'zoom', pan: 'pan', nextFailure: 'next failure', zoomIn: 'Zoom in', zoomOut: 'Zoom out', fit: 'Fit', shown: (d: string) => `${d} shown`,
    label: 'Time line; a table with the same facts follows', caption: 'Agents by time', agent: 'Agent', state: 'State', start: 'Started', end: 'Ended', calls: 'Tool calls',
    queued: 'queued', running: 'running', report: 'report', handover: 'hand-over', folded: (count: number) => `${n(count, 'agent', 'agents')}, folded`, agents: (count: number) => n(count, 'agent', 'agents'),
    empty: 'Nothing has happened yet.', go: 'Click: go to this agent', it: (i: number) => `Iteration ${i}`, itShort: (i: number) => `It. ${i}`, took: (d: string) => `took ${d}`, runningNow: (count: number) => `${count} running`,
  },
  player: {
    label: 'Moment shown', previousFailure: 'Previous failure', previous: 'Previous event', play: 'Play', pause: 'Pause', next: 'Next event', nextFailure: 'Next failure', speed: 'Speed',
    back: 'Back to live', live: 'Live', loading: 'Reading events…', failed: 'Failed',
  },
  recording: {
    sign: 'Recording', before: (d: string) => `${d} before its end`, screen: 'Agents', home: 'Go to its agents', end: 'End', back: 'To the end',
    cut: 'The beginning of this story is not in this file. kuromajutsu export --html --full writes stories whole.',
    none: 'This file has no story of it.', unreadable: 'What this file records cannot be read.',
  },
  history: {
    search: 'Search prompts, summaries, reports', group: 'Group', role: 'Role', status: 'State', any: 'any', byGroup: 'By group', byTime: 'By time', total: (count: number) => n(count, 'agent', 'agents'),
    empty: 'Nothing here fits.', none: 'Nothing has ended yet.', older: 'Older', usage: 'Usage', days: 'Days', models: 'Models', roles: 'Roles', tokens: 'Tokens', cost: 'Cost', agents: 'Agents', tools: 'Tool calls', time: 'Time',
    columns: ['State', 'Agent', 'Summary', 'Group', 'Files', 'Tools', 'Tokens', 'Time', 'Ended'], newest: 'Newest first', oldest: 'Oldest first', noUsage: 'No usage yet.', clear: 'Clear filters',
  },
  roles: {
    new: 'New', model: 'Model', name: 'Name', backend: 'Back-end', systemPrompt: 'System prompt', description: 'Description, as list_roles tells it', healthPrompt: 'Health check prompt', timeout: 'Time-out', tools: 'Tools', noTools: 'none',
    edited: 'edited', source: { file: 'file', environment: 'environment', builtin: 'built in', user: "user's file" } as Record<string, string>,
    changes: (count: number) => n(count, 'change', 'changes'), notSaved: (id: string) => `to ${id}, not saved. Running agents keep what they started with.`, discard: 'Discard', save: 'Save to file', saving: 'Saving…', saved: 'Saved.',
    willBeSaved: 'What will be saved', composed: 'Composed prompt', nothing: 'Nothing is changed.', stays: 'comments and order stay', nextPrompt: (id: string) => `Prompt of the next ${id} agent`,
    layerRole: 'Role prompt', layerMeta: 'Metadata: ids, how to report', layerTools: 'Tools', layerStage: 'Previous stage, in sequential groups from stage 2 on', layerTask: 'Task, from the main agent', editedHere: 'edited here', upTo: (b: string) => `up to ${b}`,
    available: 'Available', unavailable: 'Unavailable', checking: 'Checking', valid: 'Valid', unknownModel: 'unknown model', checkAfter: 'health check runs after saving', empty: 'must not be empty', notListed: 'not among the models the CLI lists', unread: 'as configured; write here to replace it',
    otherRoles: (count: number) => n(count, 'other role', 'other roles'), ofAll: (count: number) => `${count}`, none: 'No roles.', none_ms: 'none', list: 'Roles', disabled: 'disabled', chooseModel: 'Choose a model', typeModel: 'or type one',
  },
  health: {
    checking: 'Checking', done: 'Checked', again: 'Check again', far: (ok: number, all: number) => `${ok} of ${all} roles are available so far. Agents of a role can be started as soon as its line is green.`,
    sum: (ok: number, all: number) => `${ok} of ${n(all, 'role', 'roles')} available.`, cli: 'Back-ends', hub: 'Hub', models: 'Models', last: 'Last check', none: 'never',
    step1: 'Model validation', step2: 'Health check', step3: 'Done', valid: 'valid', invalid: 'unknown model', pending: 'waiting', running: 'checking', passed: 'OK', failed: 'failed', skipped: 'skipped: unknown model',
    ofModels: (ok: number, bad: number) => `${ok} valid${bad ? `, ${bad} unknown` : ''}`, ofChecks: (ok: number, running: number, bad: number) => [`${ok} passed`, running ? `${running} under way` : '', bad ? `${bad} failed` : ''].filter(Boolean).join(', '),
    notAmong: (count: number) => `Not among the ${n(count, 'model', 'models')}. Did you mean`, edit: 'edit the role', follows: 'Follows when the last check has ended.', all: (ok: number, all: number) => `${ok} of ${n(all, 'role', 'roles')} can be used.`, modelsIn: (count: number, ends: number) => `${count} in ${n(ends, 'back-end', 'back-ends')}`,
  },
  system: {
    models: 'Models', noModels: 'There is no model information', count: (count: number) => n(count, 'model', 'models'), usedBy: 'used by', hub: 'Hub', version: 'Version', build: 'Build', pid: 'Process id', address: 'Address', up: 'Up for', since: 'Since',
    places: 'Places', inUse: (held: number, max: number) => `${held} of ${max} in use`, waiting: 'Waiting', orchestrators: 'Orchestrators', streams: 'Streams', lines: (count: number) => n(count, 'line', 'lines'),
    config: 'Configuration', file: 'File', noFile: 'none; what is built in holds', state: 'State directory', trust: 'Trust', trusted: 'nothing is withheld', withheld: (count: number) => `${n(count, 'setting is', 'settings are')} withheld until you run: kuromajutsu trust`,
    language: 'Language', feed: 'Feed', seq: 'Last event', skew: 'Clocks differ by', loading: 'Asking the hub…', connected: 'Connection', page: 'This page',
  },
  keys: {
    title: 'Keys', list: [
      ['?', 'this list'], ['j  k', 'next, previous agent'], ['Enter', 'open it'], ['Esc', 'close'], ['/', 'search'], ['t', 'time line'], ['l', 'Live'], ['n', 'needs me'],
      ['Space', 'play, pause'], ['←  →', 'previous, next event'], ['w s a d', 'zoom and pan the time line'],
    ] as [string, string][],
  },
  error: { title: 'Something is wrong', screen: 'This screen could not be shown.', reload: 'Reload', lost: 'The connection to the hub is lost; try again in a moment.' },
  search: { none: 'Nothing found.', agents: 'Agents', groups: 'Groups', past: 'In History' },
};

type Widen<T> = T extends string ? string : T extends (...a: infer A) => string ? (...a: A) => string : T extends readonly (infer E)[] ? Widen<E>[] : { [K in keyof T]: Widen<T[K]> };
export type Text = Widen<typeof en>;
