// What sort of tool a call is of, for its colour and its icon.

export type Kind = 'read' | 'search' | 'edit' | 'shell' | 'web' | 'mcp' | 'other';

const WORDS: [Kind, RegExp][] = [
  ['mcp', /mcp|[:]|report_result|update_ledger|wait_agent/i],
  ['web', /web|fetch|http|url|browser/i],
  ['search', /grep|glob|search|find/i],
  ['edit', /edit|write|delete|patch|create|notebook/i],
  ['shell', /shell|bash|terminal|exec|command/i],
  ['read', /read|^ls|list|view|cat|todo/i],
];

export function kindOf(tool: string): Kind {
  return WORDS.find(([, form]) => form.test(tool))?.[0] ?? 'other';
}

/** A CLI's inner name as people say it: grepToolCall is grep. */
export function plainTool(tool: string): string {
  return tool.replace(/ToolCall$/, '');
}
