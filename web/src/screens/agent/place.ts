// Paths as one reads them: short by the directory the agent works in.

export const inside = (path: string, place: string): string => place && path.startsWith(`${place}/`) ? path.slice(place.length + 1) : path;
