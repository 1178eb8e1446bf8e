// What the browser keeps of the page for next time. One that keeps nothing (a
// file opened in a private window may be refused it) is no trouble: then
// everything is as it is at first.

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Not kept.
  }
}
