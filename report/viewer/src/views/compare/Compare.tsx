// Two profiles: their differences, largest first, and the memory of both over tiles.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Route } from '../../app/route';
import type { Profile } from '../../data/profile';
import { change, compareOptions, compareProfiles, type Difference } from '../../derived/compare';
import { counted, integer, percent, signed } from '../../derived/format';
import { differentGround, groundOf } from '../../derived/sameness';
import { Card, FileChoice, Name } from '../common';
import { LivenessOverlay, MemoryOverlay } from './CompareOverlays';
import { type Column, Table } from '../Table';

const kGroupOf: Readonly<Record<Difference['group'], string>> = {
  Totals: 'memory',
  Cycles: 'cycles',
  Graph: 'counts of the graph',
  Categories: 'categories',
  'Vertex types': 'vertex types',
  Steps: 'steps',
  Variables: 'variables',
};
const kMax = 20; // number of differences shown at first

const ratio = (d: Difference): number | null => (d.before > 0 && !Number.isNaN(d.after) ? (d.after - d.before) / d.before : null);

const kFigures: readonly Column<Difference>[] = [
  { title: 'Before', value: (d) => d.before, show: (d) => integer(d.before) },
  { title: 'After', value: (d) => d.after, show: (d) => integer(d.after) },
  { title: 'Change', value: change, show: (d) => signed(change(d)) },
  {
    title: 'Percent',
    value: (d) => {
      const r = ratio(d);
      return r === null ? null : 100 * r;
    },
    show: (d) => {
      const r = ratio(d);
      return r === null ? '–' : `${r > 0 ? '+' : r < 0 ? '−' : ''}${percent(Math.abs(r), 1)}`;
    },
    help: 'The change as a percentage of the figure before',
  },
  { title: 'Unit', value: (d) => d.unit },
];

const kGroups = ['Totals', 'Cycles', 'Graph', 'Categories', 'Vertex types', 'Steps', 'Variables'] as const;

interface Props {
  readonly route: Route;
  readonly profile: Profile;
  readonly other: Profile | null;
  readonly onOther: (files: readonly File[]) => void;
  readonly problem: string;
}

export function Compare({ profile, route, other, onOther, problem }: Props): JSX.Element {
  const rows = useMemo(() => (other ? compareProfiles(profile, other) : []), [profile, other]);
  const options = useMemo(() => (other ? compareOptions(profile, other) : []), [profile, other]);
  const ground = useMemo(() => (other ? differentGround(profile, other) : []), [profile, other]);
  const choose = <FileChoice label={other ? 'Choose another' : 'Choose the second profile'} accept=".pop" onFiles={onOther} />;
  if (!other)
    return (
      <Card title="Compare">
        <p>Choose a second profile, or drop one on this view. The page then lists its differences from {profile.title}, largest first.</p>
        {choose}
        {problem && (
          <p class="error" role="alert">
            {problem}
          </p>
        )}
      </Card>
    );
  return (
    <>
      <Card title={`From ${profile.title} to ${other.title}`} aside={choose}>
        <p>
          {rows.length === 0
            ? 'No figure differs.'
            : `${counted(rows.length, 'figure')} ${rows.length === 1 ? 'differs' : 'differ'}. A dash (–) means that a profile does not have the step, variable or kind, which then counts as 0. Figures that one of the profiles did not record are left out.`}
          {rows.length > kMax && ` This card shows the ${kMax} largest differences; the cards below show all.`}
        </p>
        <Table
          label="The two profiles"
          rows={groundOf(profile).map(([what, value], i) => ({ what, before: value, after: groundOf(other)[i]?.[1] ?? '' }))}
          columns={[
            { title: 'Profile', value: (r) => r.what },
            { title: `Before: ${profile.title}`, value: (r) => r.before },
            { title: `After: ${other.title}`, value: (r) => r.after },
          ]}
        />
        {ground.length > 0 && (
          <div class="warning" role="note">
            <b>The two profiles differ in more than the program:</b>
            <ul class="notes">
              {ground.map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </div>
        )}
        {problem && (
          <p class="error" role="alert">
            {problem}
          </p>
        )}
        {rows.length > 0 && (
          <Table
            label="Largest differences"
            rows={rows.slice(0, kMax)}
            columns={[
              { title: 'What', value: (d: Difference) => d.name, show: (d) => <Name name={d.name} /> },
              { title: 'Of', value: (d) => kGroupOf[d.group] },
              ...kFigures,
              {
                title: 'Of the whole',
                value: (d) => d.share,
                show: (d) => percent(d.share, 1),
                help: 'The change as a share of a tile’s memory, of all memory in use, of all allocations, or of the cycles of a run',
              },
            ]}
          />
        )}
      </Card>
      <MemoryOverlay profile={profile} other={other} route={route} />
      <LivenessOverlay profile={profile} other={other} route={route} />
      {kGroups.map((group) => {
        const of = rows.filter((r) => r.group === group);
        if (of.length === 0) return null;
        return (
          <Card key={group} title={group}>
            <Table
              label={group}
              rows={of}
              height={320}
              columns={[{ title: 'What', value: (d: Difference) => d.name, show: (d) => <Name name={d.name} /> }, ...kFigures]}
            />
          </Card>
        );
      })}
      {options.length > 0 && (
        <Card title="Options">
          <Table
            label="Options that differ"
            rows={options}
            columns={[
              { title: 'Option', value: (o) => o.key },
              { title: 'Before', value: (o) => o.before },
              { title: 'After', value: (o) => o.after },
            ]}
          />
        </Card>
      )}
    </>
  );
}
