// Reads ahead what other views will need, piece by piece, so that they open at once.
import type { Profile } from '../data/profile';
import { poolJob } from '../derived/bsp';
import { kSlice } from '../views/useJob';

/** Returns how to stop it. What is damaged is left to the view that shows it. */
export function warm(profile: Profile): () => void {
  let timer = 0;
  const tasks: (() => boolean)[] = [
    () => profile.programs.length >= 0,
    () => profile.steps.count >= 0,
    () => {
      const longest = profile.runTotals.reduce((best, r) => (r.total > (best?.total ?? -1) ? r : best), profile.runTotals[0]);
      const run = profile.runs.find((r) => r.id === longest?.run);
      if (!run) return true;
      const job = poolJob(profile, run, 0);
      job.work(kSlice);
      return job.done;
    },
  ];
  const step = () => {
    const task = tasks[0];
    if (!task) return;
    try {
      if (task()) tasks.shift();
    } catch {
      return;
    }
    timer = window.setTimeout(step, 5);
  };
  timer = window.setTimeout(step, 50);
  return () => clearTimeout(timer);
}
