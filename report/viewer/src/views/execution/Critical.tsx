// The critical path of a run as a table of the parts of its length.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Profile, Run } from '../../data/profile';
import { type PathRow, pathByProgram, type Piece } from '../../derived/critical';
import { counted } from '../../derived/format';
import { numberOfRun } from '../../derived/recorded';
import { Card, ProgramLink, stepCells } from '../common';
import { shareColumn, Table } from '../Table';

const kKinds = { work: 'Work', barrier: 'Barrier', counters: 'Reading counters' } as const;

export function CriticalPath({
  profile,
  run,
  path,
}: {
  readonly profile: Profile;
  readonly run: Run;
  readonly path: readonly Piece[] | null;
}): JSX.Element {
  const rows = useMemo(() => (path ? pathByProgram(profile, path) : []), [profile, path]);
  const whole = path?.[path.length - 1]?.to ?? NaN;
  if (!path)
    return (
      <Card title="Critical path">
        <p class="empty">
          The critical path is not known: the file lacks times that determine the clocks of this run (cycles of every tile in every step,
          delays of barriers).
        </p>
      </Card>
    );
  return (
    <Card title={`Critical path of run ${numberOfRun(run)}`}>
      <p>
        The chain of work and waiting from the start of the run to its end: {counted(path.length, 'piece')} of {counted(whole, 'cycle')} in
        all. The run becomes shorter only if one of these pieces becomes shorter.
      </p>
      <Table
        label="Critical path"
        rows={rows}
        columns={[
          {
            title: 'Step',
            step: (r) => stepCells(profile, r.program),
            value: (r) => profile.programs[r.program]?.name ?? '',
            show: (r) => <ProgramLink profile={profile} id={r.program} view="execution" />,
          },
          { title: 'Kind', value: (r) => profile.programs[r.program]?.type ?? '' },
          { title: 'What', value: (r) => kKinds[r.kind] },
          { title: 'Cycles', value: (r) => r.cycles },
          shareColumn<PathRow>(
            (r) => r.cycles,
            () => whole,
          ),
          { title: 'Pieces', value: (r) => r.pieces },
          { title: 'Tiles', value: (r) => r.tiles, help: 'Number of different tiles of this step on the path' },
        ]}
      />
    </Card>
  );
}
