// Changes the selection of steps on a click.

/** Adds steps to the selected steps. If all of them are selected already, removes them instead. */
export function toggleSteps(selected: readonly number[], steps: readonly number[]): number[] {
  const set = new Set(selected);
  const all = steps.every((s) => set.has(s));
  for (const s of steps) {
    if (all) set.delete(s);
    else set.add(s);
  }
  return [...set].sort((a, b) => a - b);
}
