// The options (changed ones first), the target and its costs, and the time and effects of the compiler's passes.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { number, text } from '../../data/database';
import type { Profile } from '../../data/profile';
import { integer } from '../../derived/format';
import { Card } from '../common';
import { Table } from '../Table';

interface TargetRow {
  readonly what: string;
  readonly value: number | string;
  readonly unit: string;
}

/** Returns the rows of the target: sizes first, then the fields of its machine file, then costs. */
function targetRows(profile: Profile): TargetRow[] {
  const t = profile.target;
  const rows: TargetRow[] = [
    { what: 'Type', value: t.type, unit: '' },
    { what: 'Architecture', value: t.architecture, unit: '' },
    { what: 'IPUs', value: t.ipus, unit: '' },
    { what: 'Replicas', value: t.replicas, unit: '' },
    { what: 'Tiles of an IPU', value: t.tilesPerIpu, unit: '' },
    { what: 'Memory of a tile', value: t.bytesPerTile, unit: 'B' },
    { what: 'Memory of all tiles', value: t.bytesPerTile * t.tilesPerIpu * t.ipus, unit: 'B' },
    { what: 'Interleaved memory from', value: t.interleavedOffset > 0 ? t.interleavedOffset : 'none', unit: 'B' },
    { what: 'Clock', value: t.clockHz, unit: 'Hz' },
    { what: 'Worker threads of a tile', value: t.workers, unit: '' },
  ];
  for (const row of profile.db.query('SELECT key, value, unit FROM machine_costs ORDER BY key'))
    rows.push({ what: text(row.key), value: typeof row.value === 'number' ? row.value : text(row.value), unit: text(row.unit) });
  return rows;
}

export function Options({ profile }: { readonly profile: Profile }): JSX.Element {
  const rows = useMemo(
    () => profile.db.query('SELECT scope, key, value, is_default FROM options ORDER BY is_default, scope, key'),
    [profile],
  );
  const target = useMemo(() => targetRows(profile), [profile]);
  const phases = useMemo(
    () =>
      profile.db.has('compile_phases')
        ? profile.db.query(
            'SELECT c.name, p.name AS outer, c.wall_us, c.cpu_us, c.bytes_after FROM compile_phases c LEFT JOIN compile_phases p ON p.id = c.parent ORDER BY c.id',
          )
        : [],
    [profile],
  );
  const optimisations = useMemo(() => profile.db.query('SELECT name, unit, before, after FROM optimisations ORDER BY id'), [profile]);
  return (
    <>
      <Card title="Options">
        <p>
          {integer(rows.filter((r) => r.is_default !== 1).length)} of {integer(rows.length)} were set; they come first.
        </p>
        <Table
          label="Options"
          rows={rows}
          height={560}
          columns={[
            { title: 'Of', value: (r) => text(r.scope) },
            { title: 'Option', value: (r) => text(r.key), show: (r) => (r.is_default === 1 ? text(r.key) : <b>{text(r.key)}</b>) },
            { title: 'Value', value: (r) => text(r.value) },
            { title: 'Set', value: (r) => (r.is_default === 1 ? 'default' : 'set') },
          ]}
        />
      </Card>
      <Card title="The target">
        <Table
          label="The target"
          rows={target}
          columns={[
            { title: 'What', value: (r) => r.what },
            { title: 'Value', value: (r) => r.value },
            { title: 'Unit', value: (r) => r.unit },
          ]}
        />
      </Card>
      {phases.length > 0 && (
        <Card title="Time and memory of the compilation">
          <Table
            label="Phases of the compilation"
            rows={phases}
            columns={[
              { title: 'Phase', value: (r) => text(r.name) },
              { title: 'Part of', value: (r) => text(r.outer) },
              { title: 'Time', unit: 'ms', value: (r) => number(r.wall_us) / 1000, show: (r) => (number(r.wall_us) / 1000).toFixed(1) },
              { title: 'CPU time', unit: 'ms', value: (r) => number(r.cpu_us) / 1000, show: (r) => (number(r.cpu_us) / 1000).toFixed(1) },
              { title: 'Memory after', unit: 'B', value: (r) => number(r.bytes_after) },
            ]}
          />
        </Card>
      )}
      <Card title="Effects of the compiler’s passes">
        <Table
          label="Passes"
          rows={optimisations}
          empty="No effects of passes were recorded."
          columns={[
            { title: 'Pass', value: (r) => text(r.name) },
            { title: 'Before', value: (r) => Number(r.before) },
            { title: 'After', value: (r) => Number(r.after) },
            { title: 'Unit', value: (r) => text(r.unit) },
          ]}
        />
      </Card>
    </>
  );
}
