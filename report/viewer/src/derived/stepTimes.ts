// How long the steps of a run took.
import type { Profile, Run } from '../data/profile';

export interface StepTime {
  readonly program: number;
  readonly cycles: number; // from the first tile that enters to the last that leaves
  readonly executions: number;
  readonly most: number; // cycles of one execution
}

/** Programs of a run by their time, most first. */
export function stepTimes(profile: Profile, run: Run): readonly StepTime[] {
  return profile.keep(`step times ${run.id}`, () => {
    const { steps } = profile;
    const by = new Map<number, { program: number; cycles: number; executions: number; most: number }>();
    for (let s = run.firstStep; s < run.endStep; ++s) {
      const program = steps.program[s] ?? -1;
      let longest = 0;
      for (let i = 0; i < steps.ipus; ++i)
        longest = Math.max(longest, (steps.to[s * steps.ipus + i] || 0) - (steps.from[s * steps.ipus + i] || 0));
      const row = by.get(program) ?? { program, cycles: 0, executions: 0, most: 0 };
      row.cycles += longest;
      row.most = Math.max(row.most, longest);
      ++row.executions;
      by.set(program, row);
    }
    return [...by.values()].sort((a, b) => b.cycles - a.cycles);
  });
}
