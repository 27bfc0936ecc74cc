/**
 * Counts whole numbers in at most `most` equal bins. The first bin begins at `low`, and each bin is `width` wide. The largest value is in
 * the last bin. Bin b holds the whole numbers of range(b), both ends included.
 */
export function histogram(
  values: Float64Array,
  most: number,
): {
  readonly low: number;
  readonly width: number;
  readonly counts: Float64Array;
  readonly range: (bin: number) => readonly [number, number];
} {
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (!(high >= low)) return { low: 0, width: 1, counts: new Float64Array(1), range: () => [0, 0] };
  const span = high - low;
  const bins = span === 0 ? 1 : Math.min(most, Math.ceil(span));
  const counts = new Float64Array(bins);
  const binOf = (v: number) => (span === 0 ? 0 : Math.min(bins - 1, Math.floor(((v - low) * bins) / span)));
  for (const v of values) if (Number.isFinite(v)) counts[binOf(v)]! += 1;
  const edge = (bin: number) => low + Math.ceil((bin * span) / bins);
  const range = (bin: number) => [edge(bin), bin === bins - 1 ? high : edge(bin + 1) - 1] as const;
  return { low, width: span === 0 ? 1 : span / bins, counts, range };
}

/**
 * Returns the half-open range of the tiles with a value above 0, with a margin. If the range is not a small part of all tiles, returns the
 * range of all tiles.
 */
export function occupiedWindow(values: Float64Array): readonly [number, number] {
  const first = values.findIndex((v) => v > 0);
  if (first < 0) return [0, values.length];
  let last = values.length - 1;
  while (!(values[last]! > 0)) --last;
  const margin = Math.max(8, last + 1 - first);
  return last + 1 - first > values.length / 8
    ? [0, values.length]
    : [Math.max(0, first - margin), Math.min(values.length, last + 1 + margin)];
}
