// Long Markdown in pieces, each of which stands by itself: cut between lines,
// if there is one nearby at an empty one, and a code fence that is cut is closed
// here and opened again in the next piece.

const LINES = 1000;
const NEAR = 200;
const BYTES = 200_000;

const FENCE = /^\s{0,3}(`{3,}|~{3,})(.*)$/;

export function piecesOf(text: string): string[] {
  const lines = text.split('\n');
  const out: string[] = [];
  let piece: string[] = [];
  let size = 0;
  let fence: string | null = null;
  const cut = () => {
    if (piece.length === 0) return;
    out.push((fence ? [...piece, fence.trim().replace(/^([`~]+).*$/, '$1')] : piece).join('\n'));
    piece = fence ? [fence] : [];
    size = 0;
  };
  for (const whole of lines) {
    // A line longer than a piece is cut by force.
    for (let at = 0; at === 0 || at < whole.length; at += BYTES) {
      const line = whole.slice(at, at + BYTES);
      const isFull = piece.length >= LINES || size + line.length > BYTES;
      if (isFull || (piece.length >= LINES - NEAR && fence === null && line.trim() === '')) cut();
      const m = FENCE.exec(line);
      if (m) fence = fence === null ? line : m[1]![0] === fence.trim()[0] && m[2]!.trim() === '' ? null : fence;
      piece.push(line);
      size += line.length + 1;
    }
  }
  fence = null;
  cut();
  return out;
}
