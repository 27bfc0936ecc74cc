// The parts of the length of the recorded runs, by kind of step. The page computes the parts from the tables of the file.
import type { JSX } from 'preact';
import type { Profile } from '../data/profile';
import { kCauseLabels } from '../derived/names';
import { type LengthPart, lengthByKind, whyNoLength } from '../derived/times';
import { shareColumn, Table } from './Table';

/** The table for all recorded runs, or for one run. */
export function LengthTable({ profile, run }: { readonly profile: Profile; readonly run?: number }): JSX.Element {
  const parts = lengthByKind(profile, run);
  const all = parts.reduce((sum, part) => sum + part.cycles, 0);
  return (
    <Table
      label="Length by kind of step"
      rows={parts}
      empty={whyNoLength(profile, run)}
      columns={[
        { title: 'Kind of step', value: (p) => kCauseLabels[p.kind] },
        { title: 'Steps', value: (p) => p.steps },
        { title: 'Adds', unit: 'cycles', value: (p) => p.cycles, help: 'Cycles that these steps add to the length of the runs' },
        shareColumn<LengthPart>(
          (p) => p.cycles,
          () => all,
        ),
      ]}
    />
  );
}
