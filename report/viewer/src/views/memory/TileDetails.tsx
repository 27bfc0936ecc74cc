// The contents of selected tiles: regions, categories, vertices, exchanges and variables.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link } from '../../app/route';
import type { Profile } from '../../data/profile';
import { exchangesOfTiles } from '../../derived/exchange';
import { bytes, integer, ranges } from '../../derived/format';
import { categoriesOfTiles, type CategoryOfTiles } from '../../derived/memory';
import { categoryLabel } from '../../derived/names';
import { Card, ProgramLink, stepCells } from '../common';
import { Short } from '../Short';
import { shareColumn, Table } from '../Table';
import { kNameColumn } from '../Variables';

const kMaxTiles = 64; // maximum tiles for which every allocation is read

/** Shows the contents of several tiles; allocations of one name and category share a row. */
function VariablesTogether({ profile, tiles }: { readonly profile: Profile; readonly tiles: readonly number[] }): JSX.Element {
  const rows = useMemo(() => {
    const sums = new Map<
      string,
      { name: string; category: string; variable: number | null; bytes: number; count: number; tiles: number }
    >();
    if (tiles.length <= kMaxTiles)
      for (const tile of tiles) {
        const seen = new Set<string>();
        for (const a of profile.allocations(tile)) {
          const key = `${a.category}\n${a.name}`;
          const row = sums.get(key) ?? { name: a.name, category: a.category, variable: a.variable, bytes: 0, count: 0, tiles: 0 };
          row.bytes += a.bytes;
          ++row.count;
          if (!seen.has(key)) ++row.tiles;
          seen.add(key);
          sums.set(key, row);
        }
      }
    return [...sums.values()].sort((a, b) => b.bytes - a.bytes);
  }, [profile, tiles]);
  if (tiles.length > kMaxTiles)
    return <p class="empty">Choose at most {kMaxTiles} tiles to see their variables; Liveness lists the variables of all tiles.</p>;
  return (
    <Table
      label="Variables of the tiles"
      rows={rows}
      empty={profile.hasAllocations ? 'No allocations on these tiles.' : 'Not recorded (autoReport.outputLoweredVars).'}
      columns={[
        kNameColumn,
        { title: 'Category', value: (r) => categoryLabel(r.category) },
        { title: 'Bytes', unit: 'B', value: (r) => r.bytes },
        { title: 'Allocations', value: (r) => r.count },
        { title: 'Tiles', value: (r) => r.tiles, help: 'Number of the selected tiles that have it' },
      ]}
    />
  );
}

interface Props {
  readonly profile: Profile;
  readonly tiles: readonly number[];
  readonly fullest: boolean; // the user chose no tile: `tiles` is the fullest one
}

export function TileDetails({ profile, tiles, fullest }: Props): JSX.Element {
  const rows = useMemo(() => categoriesOfTiles(profile, tiles), [profile, tiles]);
  const sum = (values: Float64Array) => tiles.reduce((total, t) => total + (values[t] ?? 0), 0);
  const total = sum(profile.memory.total);
  const these = tiles.length === 1 ? 'this tile' : 'these tiles';
  const { nonInterleaved, interleaved, overflowed } = profile.memory;
  return (
    <Card
      title={tiles.length === 1 ? `Tile ${tiles[0]}${fullest ? ', the fullest' : ''}` : `${integer(tiles.length)} tiles: ${ranges(tiles)}`}
      aside={<a href={link('tile', { tile: tiles[0] ?? 0 })}>Addresses of tile {tiles[0]}</a>}
    >
      <p>
        Occupied {bytes(total)}, including gaps {bytes(sum(profile.memory.includingGaps))}; always live{' '}
        {bytes(sum(profile.memory.alwaysLive))}, peak of not always live {bytes(sum(profile.memory.maxNotAlwaysLive))}.
      </p>
      <p>
        By region: non-interleaved {bytes(sum(nonInterleaved))}, interleaved {bytes(sum(interleaved))}
        {sum(overflowed) > 0 && `, past the end of memory ${bytes(sum(overflowed))}`}.
      </p>
      <div class="columns">
        <div>
          <h3>Categories</h3>
          <Table
            label="Categories"
            rows={rows}
            columns={[
              { title: 'Category', value: (r) => categoryLabel(r.category) },
              {
                title: 'Occupied',
                unit: 'B',
                value: (r) => r.occupied,
                help: 'Addresses that only this category uses; addresses that several categories use over time have their own row, so the rows add up',
              },
              shareColumn<CategoryOfTiles>(
                (r) => r.occupied,
                () => total,
              ),
              {
                title: 'Allocations',
                unit: 'B',
                value: (r) => r.allocated,
                help: 'Sum over allocations, which can share addresses over time',
              },
            ]}
          />
        </div>
        <div>
          <h3>Vertices</h3>
          <Table
            label="Vertices"
            rows={profile.vertices(tiles)}
            empty={`No vertices on ${these}.`}
            columns={[
              { title: 'Type', value: (r) => r.type, show: (r) => <Short name={r.type} /> },
              { title: 'Vertices', value: (r) => r.instances },
              { title: 'Code', unit: 'B', value: (r) => r.codeBytes },
              { title: 'State', unit: 'B', value: (r) => r.stateBytes },
              { title: 'Descriptors', unit: 'B', value: (r) => r.descriptorBytes },
            ]}
          />
          <h3>Exchanges</h3>
          <Table
            label="Exchanges of the tile"
            rows={exchangesOfTiles(profile, tiles)}
            empty={tiles.length === 1 ? 'This tile takes part in no exchange.' : 'These tiles take part in no exchange.'}
            columns={[
              {
                title: 'Exchange',
                step: (r) => stepCells(profile, r.program),
                names: true,
                value: (r) => r.program,
                show: (r) => <ProgramLink profile={profile} id={r.program} view="exchange" />,
              },
              { title: 'Sent', unit: 'B', value: (r) => r.sent },
              { title: 'Received', unit: 'B', value: (r) => r.received },
              { title: 'Code', unit: 'B', value: (r) => r.code, help: 'Exchange code that no earlier exchange has' },
            ]}
          />
        </div>
      </div>
      <h3>Variables</h3>
      {tiles.length > 1 ? (
        <VariablesTogether profile={profile} tiles={tiles} />
      ) : (
        <Table
          label="Variables of the tile"
          rows={profile.allocations(tiles[0] ?? 0)}
          empty={profile.hasAllocations ? 'No allocations on this tile.' : 'Not recorded (autoReport.outputLoweredVars).'}
          columns={[
            { title: 'Address', value: (a) => a.offset },
            { title: 'Bytes', unit: 'B', value: (a) => a.bytes },
            kNameColumn,
            { title: 'Category', value: (a) => categoryLabel(a.category) },
            { title: 'Lives', value: (a) => (a.alwaysLive ? 'always' : 'not always') },
            { title: 'Shares addresses', value: (a) => (a.overlapped ? 'yes' : 'no') },
          ]}
        />
      )}
    </Card>
  );
}
