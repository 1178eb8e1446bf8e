// Names that a mistyped one may have meant, the nearest first.

export function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let k = 1; k <= b.length; k++) next[k] = Math.min(row[k]! + 1, next[k - 1]! + 1, row[k - 1]! + (a[i - 1] === b[k - 1] ? 0 : 1));
    row = next;
  }
  return row[b.length]!;
}

export function closest(name: string, names: readonly string[], count: number): string[] {
  return names.map(n => ({ n, d: distance(name.toLowerCase(), n.toLowerCase()) })).filter(x => x.d <= Math.max(3, name.length / 2)).sort((a, b) => a.d - b.d).slice(0, count).map(x => x.n);
}
