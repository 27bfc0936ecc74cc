// What each exchange moves: a table of all, bytes over tiles and from tile to tile, of one or of all together.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, type Route, setParams } from '../app/route';
import { readTraffic } from '../data/extras';
import type { Profile } from '../data/profile';
import { cellAt, drawMatrix, type Matrix } from '../draw/matrix';
import { barScales, drawStackedBars, type StackedBars } from '../draw/bars';
import { collectExchanges } from '../derived/exchange';
import { bytes, integer, shortBytes } from '../derived/format';
import { programLabel } from '../derived/names';
import { cellTiles, trafficMatrix } from '../derived/traffic';
import { currentTheme } from '../theme';
import { Card, Legend, ProgramLink } from './common';
import { Picture } from './Picture';
import { Table } from './Table';

export function Exchange({ profile, route }: { readonly profile: Profile; readonly route: Route }): JSX.Element {
  const theme = currentTheme();
  const exchanges = useMemo(() => collectExchanges(profile), [profile]);
  const { rows } = exchanges;
  const chosen = rows.find((r) => String(r.program) === route.params.step);
  const none = useMemo(() => new Float64Array(profile.tiles), [profile]);
  const series = useMemo(() => {
    const values = (column: 'bytes_sent' | 'bytes_received') => (chosen ? (profile.programTiles(chosen.program, column) ?? none) : null);
    return [
      { label: 'Received', colour: theme.series[0] ?? theme.accent, values: values('bytes_received') ?? exchanges.received },
      { label: 'Sent', colour: theme.series[1] ?? theme.accent, values: values('bytes_sent') ?? exchanges.sent },
    ];
  }, [profile, exchanges, chosen, none, theme]);
  if (rows.length === 0)
    return (
      <Card title="Exchange">
        <p class="empty">The program exchanges nothing.</p>
      </Card>
    );
  const data: StackedBars = {
    series,
    from: 0,
    to: profile.tiles,
    marks: chosen ? [chosen.busiest] : [],
    x: { label: 'tile', format: integer },
    y: { label: 'bytes', format: shortBytes, binary: true },
  };
  return (
    <>
      <Card
        title={chosen ? `Bytes over tiles: ${programLabel(profile.programs[chosen.program])}` : 'Bytes over tiles: every exchange once'}
        aside={
          chosen && (
            <button type="button" onClick={() => setParams({ step: '' })}>
              All exchanges
            </button>
          )
        }
      >
        <Picture
          title="Bytes exchanged over tiles"
          height={280}
          draw={(surface, w, h, t) => drawStackedBars(surface, data, w, h, t)}
          tip={(p, w, h) => {
            const tile = Math.floor(barScales(data, w, h).x.value(p.x));
            if (tile < 0 || tile >= profile.tiles) return null;
            return (
              <>
                <b>Tile {tile}</b>
                {series.map((s) => (
                  <div key={s.label}>
                    {s.label}: {bytes(s.values[tile] ?? 0)}
                  </div>
                ))}
              </>
            );
          }}
          onKey={(event) => {
            const move = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
            const next = rows[(chosen ? rows.indexOf(chosen) : -1) + move];
            if (move === 0 || !next) return;
            event.preventDefault();
            setParams({ step: next.program });
          }}
        />
        <Legend items={series.map((s) => [s.label, s.colour] as const)} />
      </Card>
      <TrafficCard profile={profile} program={chosen?.program ?? null} />
      <Card title="Exchanges">
        <Table
          label="Exchanges"
          rows={rows}
          selected={(r) => r === chosen}
          onPick={(r) => setParams({ step: r.program })}
          columns={[
            {
              title: 'Exchange',
              value: (r) => programLabel(profile.programs[r.program]),
              show: (r) => <ProgramLink profile={profile} id={r.program} />,
            },
            { title: 'Kind', value: (r) => profile.programs[r.program]?.type ?? '' },
            { title: 'Sent', unit: 'B', value: (r) => r.sent, help: 'Over all tiles, in one execution' },
            { title: 'Received', unit: 'B', value: (r) => r.received, help: 'More than sent where a message has several receivers' },
            { title: 'Most on a tile', unit: 'B', value: (r) => r.mostReceived },
            { title: 'Tile', value: (r) => r.busiest, show: (r) => <a href={link('tile', { tile: r.busiest })}>{r.busiest}</a> },
            { title: 'Code', unit: 'B', value: (r) => r.code },
            { title: 'Executions', value: (r) => r.executions },
            { title: 'Cycles', value: (r) => r.cycles, help: 'Work of the slowest tile, over the recorded executions' },
          ]}
        />
      </Card>
    </>
  );
}

const kMostCells = 368; // of a side: no cell is smaller than a pixel
const kPairs = 1000; // rows of the table

/** Who sends to whom, as a picture and as a table. */
function TrafficCard({ profile, program }: { readonly profile: Profile; readonly program: number | null }): JSX.Element {
  const traffic = useMemo(() => trafficMatrix(readTraffic(profile, program), profile.tiles, kMostCells), [profile, program]);
  if (!traffic)
    return (
      <Card title="Who sends to whom">
        <p class="empty">
          {profile.db.has('traffic', 'tiles_per_group')
            ? 'Nothing goes from tile to tile here.'
            : 'Not recorded: the profile is of format 6 or older. Record it again to see who sends to whom.'}
        </p>
      </Card>
    );
  const matrix: Matrix = {
    values: traffic.bytes,
    cells: traffic.cells,
    perCell: traffic.tilesPerCell,
    positions: traffic.tiles,
    x: { label: 'to tile', format: integer },
    y: { label: 'from tile', format: integer },
    format: shortBytes,
  };
  return (
    <Card title="Who sends to whom">
      <div class="columns">
        <Picture
          title="Bytes from tile to tile"
          height={440}
          draw={(surface, w, h, t) => drawMatrix(surface, matrix, w, h, t)}
          tip={(p, w, h) => {
            const cell = cellAt(matrix, p.x, p.y, w, h);
            if (!cell) return null;
            return (
              <>
                <b>
                  From {cellTiles(traffic, cell.row)} to {cellTiles(traffic, cell.column)}
                </b>
                <div>{bytes(traffic.bytes[cell.row * traffic.cells + cell.column] ?? 0)}</div>
              </>
            );
          }}
        />
        <Table
          label="Who sends to whom"
          rows={traffic.pairs.slice(0, kPairs)}
          columns={[
            { title: 'From', value: (r) => cellTiles(traffic, r.from) },
            { title: 'To', value: (r) => cellTiles(traffic, r.to) },
            { title: 'Arrives', unit: 'B', value: (r) => r.bytes, help: 'What goes to several tiles arrives at each' },
          ]}
        />
      </div>
      <p class="hint">
        {traffic.tilesPerCell === 1 ? 'Each tile by itself' : `In groups of ${traffic.tilesPerCell} tiles`};{' '}
        {program === null ? 'each exchange once: choose one below to see it alone, often more finely' : 'in one execution'}
        {traffic.pairs.length > kPairs && `; the table has the ${integer(kPairs)} largest of ${integer(traffic.pairs.length)} pairs`}.
      </p>
    </Card>
  );
}
