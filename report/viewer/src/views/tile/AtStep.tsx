// The contents of a tile at one step of the program, and why each allocation is there.
import type { JSX } from 'preact';
import type { Allocation, Profile } from '../../data/profile';
import { bytes, counted } from '../../derived/format';
import { categoryLabel, programLabel } from '../../derived/names';
import { whyAt } from '../../derived/why';
import { intervalsOf } from '../../draw/tile';
import { Card, ProgramLink } from '../common';
import { Table } from '../Table';
import { kNameColumn } from '../Variables';

/** Returns why an allocation is in place at a step, if the file contains the reason. */
export function whyText(profile: Profile, a: Allocation, step: number): string {
  if (a.alwaysLive) return 'always live';
  const variable = a.variable === null ? undefined : profile.variables[a.variable];
  const why = variable && whyAt(profile, variable, step);
  if (!why) return 'the file does not contain the reason';
  const name = (id: number) => `${programLabel(profile.programs[id])} (${id})`;
  const written = why.born === null ? 'never written whole' : `written by ${name(why.born)}`;
  return `${written}, read by ${name(why.read)}${why.carrier ? `, carried by the ${why.carrier}` : ''}`;
}

export function AtStep(props: {
  readonly profile: Profile;
  readonly step: number;
  readonly cut: readonly Allocation[];
  readonly occupied: Float64Array; // by step
  readonly worst: number; // the fullest step
}): JSX.Element {
  const { profile, step, cut, occupied, worst } = props;
  return (
    <Card title={`At step ${step}: ${programLabel(profile.programs[step])}`} aside={<ProgramLink profile={profile} id={step} />}>
      <p>
        {bytes(occupied[step] ?? NaN)} in {counted(cut.length, 'allocation')}; the fullest step of this tile is {worst} with{' '}
        {bytes(occupied[worst] ?? NaN)}.
      </p>
      <Table
        label="Allocations at this step"
        rows={cut}
        columns={[
          { title: 'Address', value: (a) => a.offset },
          { title: 'Bytes', unit: 'B', value: (a) => a.bytes },
          kNameColumn,
          { title: 'Category', value: (a) => categoryLabel(a.category) },
          { title: 'Why here now', long: true, value: (a) => whyText(profile, a, step) },
          {
            title: 'Steps',
            value: (a) =>
              a.alwaysLive
                ? 'all'
                : intervalsOf(profile, a)
                    .map(([f, e]) => `${f}–${e - 1}`)
                    .join(', '),
            help: 'Steps in which its addresses are occupied',
          },
          { title: 'Alignment', unit: 'B', value: (a) => a.alignment },
        ]}
      />
    </Card>
  );
}
