// One clock for all that counts up, a step each second.

const drawers = new Set<() => void>();
let timer = 0;

export function tick(draw: () => void): () => void {
  drawers.add(draw);
  if (timer === 0) timer = window.setInterval(() => { for (const d of drawers) d(); }, 1000);
  return () => {
    drawers.delete(draw);
    if (drawers.size === 0) {
      clearInterval(timer);
      timer = 0;
    }
  };
}
