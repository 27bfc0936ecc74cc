/** Tiles by value in equal bins from `low`, each `width` wide; the largest value is in the last bin. */
export function histogram(
  values: Float64Array,
  most: number,
): { readonly low: number; readonly width: number; readonly counts: Float64Array } {
  let low = Infinity;
  let high = -Infinity;
  for (const v of values) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  if (!(high >= low)) return { low: 0, width: 1, counts: new Float64Array(1) };
  const bins = high === low ? 1 : Math.min(most, Math.ceil(high - low));
  const width = high === low ? 1 : (high - low) / bins;
  const counts = new Float64Array(bins);
  for (const v of values) if (Number.isFinite(v)) counts[Math.min(bins - 1, Math.floor((v - low) / width))]! += 1;
  return { low, width, counts };
}
