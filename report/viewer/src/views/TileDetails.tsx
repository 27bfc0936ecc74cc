// What selected tiles hold: categories and vertices.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link } from '../app/route';
import type { Profile } from '../data/profile';
import { exchangesOfTile } from '../derived/exchange';
import { bytes, integer, percent, ranges } from '../derived/format';
import { categoryLabel } from '../derived/names';
import { Card, ProgramLink } from './common';
import { Table } from './Table';

export function TileDetails({ profile, tiles }: { readonly profile: Profile; readonly tiles: readonly number[] }): JSX.Element {
  const rows = useMemo(() => {
    const out = [...profile.categoryBytes].map(([category, values]) => ({
      category: categoryLabel(category),
      bytes: tiles.reduce((sum, t) => sum + (values[t] ?? 0), 0),
    }));
    return out.filter((r) => r.bytes > 0).sort((a, b) => b.bytes - a.bytes);
  }, [profile, tiles]);
  const sum = (values: Float64Array) => tiles.reduce((total, t) => total + (values[t] ?? 0), 0);
  const total = sum(profile.memory.total);
  return (
    <Card
      title={tiles.length === 1 ? `Tile ${tiles[0]}` : `${integer(tiles.length)} tiles: ${ranges(tiles)}`}
      aside={<a href={link('tile', { tile: tiles[0] ?? 0 })}>Addresses of tile {tiles[0]}</a>}
    >
      <p>
        Occupied {bytes(total)}, including gaps {bytes(sum(profile.memory.includingGaps))}; always live{' '}
        {bytes(sum(profile.memory.alwaysLive))}, most that lives in turn {bytes(sum(profile.memory.maxNotAlwaysLive))}.
      </p>
      <Table
        label="Categories"
        rows={rows}
        columns={[
          { title: 'Category', value: (r) => r.category },
          {
            title: 'Bytes',
            unit: 'B',
            value: (r) => r.bytes,
            help: 'Sum over allocations; those that share addresses over time count each',
          },
          { title: 'Share', value: (r) => r.bytes, show: (r) => percent(r.bytes, total) },
        ]}
      />
      {tiles.length === 1 && (
        <>
          <h3>Vertices</h3>
          <Table
            label="Vertices"
            rows={profile.vertices(tiles[0] ?? 0)}
            empty="No vertices on this tile."
            columns={[
              { title: 'Type', value: (r) => r.type },
              { title: 'Vertices', value: (r) => r.instances },
              { title: 'Code', unit: 'B', value: (r) => r.codeBytes },
              { title: 'State', unit: 'B', value: (r) => r.stateBytes },
              { title: 'Descriptors', unit: 'B', value: (r) => r.descriptorBytes },
            ]}
          />
          <h3>Exchanges</h3>
          <Table
            label="Exchanges of the tile"
            rows={exchangesOfTile(profile, tiles[0] ?? 0)}
            empty="This tile exchanges nothing."
            columns={[
              {
                title: 'Exchange',
                names: true,
                value: (r) => r.program,
                show: (r) => <ProgramLink profile={profile} id={r.program} view="exchange" />,
              },
              { title: 'Sent', unit: 'B', value: (r) => r.sent },
              { title: 'Received', unit: 'B', value: (r) => r.received },
              { title: 'Code', unit: 'B', value: (r) => r.code, help: 'Exchange code that no exchange before it has' },
            ]}
          />
          <h3>Variables</h3>
          <Table
            label="Variables of the tile"
            rows={profile.allocations(tiles[0] ?? 0)}
            empty={profile.hasAllocations ? 'Nothing lies on this tile.' : 'Not recorded (autoReport.outputLoweredVars).'}
            columns={[
              { title: 'Address', value: (a) => a.offset },
              { title: 'Bytes', unit: 'B', value: (a) => a.bytes },
              {
                title: 'Name',
                value: (a) => a.name,
                show: (a) => (a.variable === null ? a.name : <a href={link('liveness', { variable: a.variable })}>{a.name}</a>),
              },
              { title: 'Category', value: (a) => categoryLabel(a.category) },
              { title: 'Lives', value: (a) => (a.alwaysLive ? 'always' : 'in turn') },
              { title: 'Shares addresses', value: (a) => (a.overlapped ? 'yes' : 'no') },
            ]}
          />
        </>
      )}
    </Card>
  );
}
