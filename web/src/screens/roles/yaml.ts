// What a change of a role will look like in the file, told as a diff.

export interface YamlLine { kind: ' ' | '+' | '-'; text: string }

const needsQuotes = (text: string) => text === '' || /^[\s>|&*!%@`'"[\]{}#?-]|: |\s#|^(true|false|null|yes|no|\d[\d._]*)$/i.test(text) || /:$/.test(text);

/** A value as YAML writes it: a block for many lines, quotes where needed. */
export function yamlValue(key: string, value: string, indent: string): string[] {
  if (value.includes('\n')) return [`${indent}${key}: |-`, ...value.split('\n').map(line => line === '' ? '' : `${indent}  ${line}`)];
  return [`${indent}${key}: ${needsQuotes(value) ? JSON.stringify(value) : value}`];
}

/** Lines that are the same at both ends stay; the middle is taken out and in. */
function between(a: string[], b: string[]): YamlLine[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const line = (kind: YamlLine['kind']) => (text: string): YamlLine => ({ kind, text });
  return [...a.slice(0, head).map(line(' ')), ...a.slice(head, a.length - tail).map(line('-')), ...b.slice(head, b.length - tail).map(line('+')), ...a.slice(a.length - tail).map(line(' '))];
}

export function yamlDiff(id: string, fields: readonly string[], was: Record<string, string>, now: Record<string, string>): YamlLine[] {
  const out: YamlLine[] = [{ kind: ' ', text: '  - id: ' + id }];
  for (const key of fields) {
    if (was[key] === now[key]) continue;
    const before = was[key] ? yamlValue(key, was[key], '    ') : [];
    out.push(...between(before, yamlValue(key, now[key] ?? '', '    ')));
  }
  return out;
}
