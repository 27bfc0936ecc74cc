// Two profiles: what differs, largest first, and memory of both over tiles.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Route } from '../app/route';
import type { Profile } from '../data/profile';
import { compareOptions, compareProfiles, type Difference, weight } from '../derived/compare';
import { Card, FileChoice } from './common';
import { LivenessOverlay, MemoryOverlay } from './CompareOverlays';
import { Table } from './Table';

const kGroups = ['Totals', 'Cycles', 'Categories', 'Steps', 'Variables'] as const;

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
  const choose = <FileChoice label="Choose the second profile" accept=".pop" onFiles={onOther} />;
  if (!other)
    return (
      <Card title="Compare">
        <p>Choose a second profile, or drop one on this view: what differs from {profile.db.name} is listed, largest first.</p>
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
      <Card title={`From ${profile.db.name} to ${other.db.name}`} aside={choose}>
        <p>{rows.length === 0 ? 'No figure differs.' : `${rows.length.toLocaleString('en-US')} figures differ. A dash: not there.`}</p>
        {problem && (
          <p class="error" role="alert">
            {problem}
          </p>
        )}
      </Card>
      <MemoryOverlay profile={profile} other={other} route={route} />
      <LivenessOverlay profile={profile} other={other} route={route} />
      {kGroups.map((group) => {
        const of = rows.filter((r) => r.group === group).sort((a, b) => weight(b) - weight(a));
        if (of.length === 0) return null;
        return (
          <Card key={group} title={group}>
            <Table
              label={group}
              rows={of}
              height={320}
              columns={[
                { title: 'What', value: (d: Difference) => d.name },
                { title: 'Before', value: (d: Difference) => d.before },
                { title: 'After', value: (d: Difference) => d.after },
                {
                  title: 'Change',
                  value: (d: Difference) => (Number.isNaN(d.after) ? 0 : d.after) - (Number.isNaN(d.before) ? 0 : d.before),
                },
                {
                  title: 'Percent',
                  value: (d: Difference) => (d.before > 0 && !Number.isNaN(d.after) ? (100 * (d.after - d.before)) / d.before : null),
                  show: (d: Difference) =>
                    d.before > 0 && !Number.isNaN(d.after) ? `${(((d.after - d.before) / d.before) * 100).toFixed(1)} %` : '–',
                },
                { title: 'Unit', value: (d: Difference) => d.unit },
              ]}
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
