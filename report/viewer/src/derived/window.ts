// Windows on a scale: closer, further, and along it.
export type Window = readonly [from: number, to: number];

/** Closer (a factor below 1) or further around a point, within [0, end] and at least `least` long; whole numbers. */
export function zoomWindow([from, to]: Window, factor: number, at: number, end: number, least = 2): Window {
  const length = Math.min(end, Math.max(Math.min(least, end), Math.round((to - from) * factor)));
  const share = to > from ? (at - from) / (to - from) : 0.5;
  const first = Math.max(0, Math.min(end - length, Math.round(at - share * length)));
  return [first, first + length];
}

/** As long as it is, further along, within [0, end]; whole numbers. */
export function panWindow([from, to]: Window, by: number, end: number): Window {
  const first = Math.max(0, Math.min(end - (to - from), Math.round(from + by)));
  return [first, first + (to - from)];
}

/** What a person spans, in either direction, within [0, end]; null: too little. */
export function spanWindow(a: number, b: number, end: number, least = 2): Window | null {
  const [from, to] = [Math.max(0, Math.floor(Math.min(a, b))), Math.min(end, Math.ceil(Math.max(a, b)))];
  return to - from >= least ? [from, to] : null;
}

/** "3-9", the last one included, as the window of positions below `end`; null: no such window. */
export function parsePositions(text: string, end: number): Window | null {
  const match = /^(\d{1,9})-(\d{1,9})$/.exec(text);
  if (!match) return null;
  const [first, last] = [Number(match[1]), Math.min(end - 1, Number(match[2]))];
  return first <= last ? [first, last + 1] : null;
}
