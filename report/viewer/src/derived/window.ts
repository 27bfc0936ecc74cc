// Zooms, pans and selects windows on a scale.
export type Window = readonly [from: number, to: number];

/** Zooms in (a factor below 1) or out around a point. The result has whole numbers, lies within [0, end] and is at least `least` long. */
export function zoomWindow([from, to]: Window, factor: number, at: number, end: number, least = 2): Window {
  const length = Math.min(end, Math.max(Math.min(least, end), Math.round((to - from) * factor)));
  const share = to > from ? (at - from) / (to - from) : 0.5;
  const first = Math.max(0, Math.min(end - length, Math.round(at - share * length)));
  return [first, first + length];
}

/** Moves a window without changing its length. The result has whole numbers and lies within [0, end]. */
export function panWindow([from, to]: Window, by: number, end: number): Window {
  const first = Math.max(0, Math.min(end - (to - from), Math.round(from + by)));
  return [first, first + (to - from)];
}

/** Returns the window between two points, in either order, within [0, end]; null if it is too short. */
export function spanWindow(a: number, b: number, end: number, least = 2): Window | null {
  const [from, to] = [Math.max(0, Math.floor(Math.min(a, b))), Math.min(end, Math.ceil(Math.max(a, b)))];
  return to - from >= least ? [from, to] : null;
}

/** Returns a text such as "3-9" (last position included) as a window of positions below `end`; null if the text is no such window. */
export function parsePositions(text: string, end: number): Window | null {
  const match = /^(\d{1,9})-(\d{1,9})$/.exec(text);
  if (!match) return null;
  const [first, last] = [Number(match[1]), Math.min(end - 1, Number(match[2]))];
  return first <= last ? [first, last + 1] : null;
}
