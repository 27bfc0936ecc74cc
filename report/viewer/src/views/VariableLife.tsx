// The life of one variable: when it lives, where it lies, and why.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, setParams } from '../app/route';
import type { Profile, Variable } from '../data/profile';
import { bytes, integer } from '../derived/format';
import { categoryLabel } from '../derived/names';
import { whyLive } from '../derived/why';
import { Card, ProgramLink } from './common';
import { Table } from './Table';

export function VariableLife({ profile, variable }: { readonly profile: Profile; readonly variable: Variable }): JSX.Element {
  const intervals = variable.alwaysLive
    ? [[0, profile.programs.length] as const]
    : (profile.intervals.get(variable.equivalenceClass ?? -1) ?? []);
  const tiles = profile.variableTiles(variable.id);
  const on = tiles ? tiles.reduce((count, b) => count + (b > 0 ? 1 : 0), 0) : NaN;
  const most = tiles ? tiles.reduce((best, b, t) => (b > (tiles[best] ?? 0) ? t : best), 0) : 0;
  const reasons = useMemo(() => whyLive(profile, variable), [profile, variable]);
  return (
    <Card
      title={`The life of ${variable.name}`}
      aside={
        <button type="button" onClick={() => setParams({ variable: '' })}>
          Close
        </button>
      }
    >
      <p>
        {bytes(variable.bytes)}, {categoryLabel(variable.category)}, on {integer(on)} tiles
        {tiles ? (
          <>
            , most on tile <a href={link('tile', { tile: most })}>{most}</a> ({bytes(tiles[most] ?? 0)})
          </>
        ) : null}
        . {variable.alwaysLive ? 'Always live.' : intervals.length === 0 ? 'Never live: nothing reads it.' : null}
      </p>
      {!variable.alwaysLive && intervals.length > 0 && (
        <Table
          label="Live intervals"
          rows={intervals}
          columns={[
            {
              title: 'From step',
              value: (r) => r[0],
              show: (r) => (
                <>
                  {r[0]} <ProgramLink profile={profile} id={r[0]} />
                </>
              ),
            },
            {
              title: 'Last step',
              value: (r) => r[1] - 1,
              show: (r) => (
                <>
                  {r[1] - 1} <ProgramLink profile={profile} id={r[1] - 1} />
                </>
              ),
            },
            { title: 'Steps', value: (r) => r[1] - r[0] },
          ]}
        />
      )}
      {reasons.length > 0 && (
        <>
          <h3>Why it is live</h3>
          <Table
            label="Why it is live"
            rows={reasons}
            columns={[
              { title: 'Steps', value: (r) => r.from, show: (r) => `${r.from}–${r.end - 1}` },
              {
                title: 'Written whole by',
                value: (r) => r.born,
                show: (r) => (r.born === null ? 'nothing yet' : <ProgramLink profile={profile} id={r.born} />),
              },
              { title: 'Kept for the read by', value: (r) => r.read, show: (r) => <ProgramLink profile={profile} id={r.read} /> },
              {
                title: 'Written in part by',
                value: (r) => r.failedKill,
                show: (r) => (r.failedKill === null ? '' : <ProgramLink profile={profile} id={r.failedKill} />),
              },
              { title: 'Missed', unit: 'elements', value: (r) => r.missed },
              { title: 'Carried by', value: (r) => r.carrier },
            ]}
          />
        </>
      )}
    </Card>
  );
}
