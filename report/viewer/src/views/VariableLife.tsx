// The life of one variable: when it lives, where it lies, and why.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, setParams } from '../app/route';
import type { Profile, Variable } from '../data/profile';
import { bytes, integer } from '../derived/format';
import { categoryLabel } from '../derived/names';
import { Card, ProgramLink } from './common';
import { Table } from './Table';

export function VariableLife({ profile, variable }: { readonly profile: Profile; readonly variable: Variable }): JSX.Element {
  const intervals = variable.alwaysLive
    ? [[0, profile.programs.length] as const]
    : (profile.intervals.get(variable.equivalenceClass ?? -1) ?? []);
  const tiles = profile.variableTiles(variable.id);
  const on = tiles ? tiles.reduce((count, b) => count + (b > 0 ? 1 : 0), 0) : NaN;
  const most = tiles ? tiles.reduce((best, b, t) => (b > (tiles[best] ?? 0) ? t : best), 0) : 0;
  const reasons = useMemo(() => {
    if (!profile.db.has('liveness_explanations', 'born')) return [];
    return profile.db.query(
      'SELECT first_program, end_program, born, read, failed_kill, missed_elements, carrier FROM liveness_explanations WHERE variable = ? ORDER BY first_program',
      [variable.id],
    );
  }, [profile, variable]);
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
              {
                title: 'Steps',
                value: (r) => Number(r.first_program),
                show: (r) => `${String(r.first_program)}–${Number(r.end_program) - 1}`,
              },
              {
                title: 'Written whole by',
                value: (r) => (typeof r.born === 'number' ? r.born : null),
                show: (r) => (typeof r.born === 'number' ? <ProgramLink profile={profile} id={r.born} /> : 'nothing yet'),
              },
              {
                title: 'Kept for the read by',
                value: (r) => Number(r.read),
                show: (r) => <ProgramLink profile={profile} id={Number(r.read)} />,
              },
              {
                title: 'Written in part by',
                value: (r) => (typeof r.failed_kill === 'number' ? r.failed_kill : null),
                show: (r) => (typeof r.failed_kill === 'number' ? <ProgramLink profile={profile} id={r.failed_kill} /> : ''),
              },
              { title: 'Missed', unit: 'elements', value: (r) => Number(r.missed_elements) },
              { title: 'Carried by', value: (r) => String(r.carrier ?? '') },
            ]}
          />
        </>
      )}
    </Card>
  );
}
