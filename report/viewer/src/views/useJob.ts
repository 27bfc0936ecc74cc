// Runs a long job in slices, so that the page stays responsive. Draws again when the job is done.
import { useEffect, useState } from 'preact/hooks';

export interface Job {
  readonly done: boolean;
  work(milliseconds: number): void;
}

/** Milliseconds per slice. A slice fits into a frame even on a slow machine. */
export const kSlice = 30;

/** Starts the job after `delay` milliseconds. Throws an error of the job as an error of the view. */
export function useJob(job: Job | null, delay = 0): void {
  const [, draw] = useState(0);
  const [problem, setProblem] = useState<{ readonly error: unknown } | null>(null);
  if (problem) throw problem.error; // rethrown as an error of the view
  useEffect(() => {
    if (!job || job.done) return;
    let timer = 0;
    const step = () => {
      try {
        job.work(kSlice);
      } catch (error) {
        setProblem({ error });
        return;
      }
      if (job.done) draw((count) => count + 1);
      else timer = window.setTimeout(step);
    };
    timer = window.setTimeout(step, delay);
    return () => clearTimeout(timer);
  }, [job]);
}
