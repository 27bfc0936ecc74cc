// The figures that the view of exchanges can show per tile.
export const kShown = [
  ['bytes', 'bytes'],
  ['cycles', 'cycles'],
  ['code', 'code'],
] as const;
export type Shown = (typeof kShown)[number][0];
