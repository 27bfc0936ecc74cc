// What the view of exchanges shows over tiles.
export const kShown = [
  ['bytes', 'bytes'],
  ['cycles', 'cycles'],
  ['code', 'code'],
] as const;
export type Shown = (typeof kShown)[number][0];
