// Changes the selection on a click.

/** Adds steps, or removes them if all of them are selected already. */
export function toggleSteps(selected: readonly number[], steps: readonly number[]): number[] {
  const set = new Set(selected);
  const all = steps.every((s) => set.has(s));
  for (const s of steps) {
    if (all) set.delete(s);
    else set.add(s);
  }
  return [...set].sort((a, b) => a - b);
}
