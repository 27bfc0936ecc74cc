// The traffic between tiles in exchanges as a heat map and as a list, and the traffic between IPUs.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { type Route, setParams } from '../../app/route';
import type { Profile } from '../../data/profile';
import { cellAt, drawMatrix, type Matrix, matrixHeight, matrixScales } from '../../draw/matrix';
import { linkTransfers, replicasNote } from '../../derived/exchange';
import { bytes, integer, shortBytes } from '../../derived/format';
import { programLabel } from '../../derived/names';
import { cellTiles } from './trafficMatrix';
import { trafficOf } from './trafficOf';
import { Card, ProgramLink, stepCells } from '../common';
import { Picture } from '../Picture';
import { Table } from '../Table';

const kPairs = 1000; // rows of the table

/** The traffic between tiles, as a picture and as a table. */
export function TrafficCard(props: { readonly profile: Profile; readonly route: Route; readonly program: number | null }): JSX.Element {
  const { profile, route, program } = props;
  const text = route.params.pairs ?? '';
  const traffic = useMemo(() => trafficOf(profile, program, text), [profile, program, text]);
  if (!traffic)
    return (
      <Card title="Who sends to whom">
        <p class="empty">No data goes from tile to tile here.</p>
      </Card>
    );
  const matrix: Matrix = {
    values: traffic.bytes,
    cells: traffic.cells,
    perCell: traffic.tilesPerCell,
    left: traffic.window.to,
    top: traffic.window.from,
    x: { label: 'to tile', format: String, items: true },
    y: { label: 'from tile', format: String, items: true },
    format: shortBytes,
  };
  const { window } = traffic;
  const zoom = (from: number, to: number, span: number) => {
    const size = Math.max(traffic.tilesPerCell, Math.min(profile.tiles, Math.round(span)));
    const first = (at: number) => Math.max(0, Math.min(profile.tiles - size, Math.round(at)));
    setParams({ pairs: size >= profile.tiles ? '' : `${first(from)},${first(to)},${size}` });
  };
  const key = (event: KeyboardEvent) => {
    const { from, to, span } = window;
    const part = span / 4;
    const actions: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => zoom(from, to - part, span),
      ArrowRight: () => zoom(from, to + part, span),
      ArrowUp: () => zoom(from - part, to, span),
      ArrowDown: () => zoom(from + part, to, span),
      '+': () => zoom(from + part, to + part, span / 2),
      '-': () => zoom(from - span / 2, to - span / 2, span * 2),
      '0': () => zoom(0, 0, profile.tiles),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  };
  return (
    <Card
      title="Who sends to whom"
      aside={
        text !== '' && (
          <button type="button" onClick={() => setParams({ pairs: '' })}>
            All tiles
          </button>
        )
      }
    >
      <div class="columns near">
        <Picture
          title="Bytes from tile to tile"
          height={matrixHeight}
          draw={(surface, w, h, t) => drawMatrix(surface, matrix, w, h, t)}
          tip={(p, w, h) => {
            const cell = cellAt(matrix, p.x, p.y, w, h);
            if (!cell) return null;
            return (
              <>
                <b>
                  From {cellTiles(traffic, cell.row, 'from')} to {cellTiles(traffic, cell.column, 'to')}
                </b>
                <div>{bytes(traffic.bytes[cell.row * traffic.cells + cell.column] ?? 0)}</div>
              </>
            );
          }}
          box
          onSpan={(a, b, w, h) => {
            const { x, y } = matrixScales(matrix, w, h);
            const span = Math.max(Math.abs(x.value(a.x) - x.value(b.x)), Math.abs(y.value(a.y) - y.value(b.y)));
            zoom(Math.min(y.value(a.y), y.value(b.y)), Math.min(x.value(a.x), x.value(b.x)), span);
          }}
          onKey={key}
        />
        <Table
          label="Who sends to whom"
          rows={traffic.pairs.slice(0, kPairs)}
          columns={[
            { title: 'From', value: (r) => cellTiles(traffic, r.from, 'from') },
            { title: 'To', value: (r) => cellTiles(traffic, r.to, 'to') },
            { title: 'Arrives', unit: 'B', value: (r) => r.bytes, help: 'Data for several tiles counts at each of them' },
          ]}
        />
      </div>
      <p class="hint">
        {traffic.tilesPerCell === 1 ? 'A row or column is one tile' : `A row or column is a group of ${traffic.tilesPerCell} tiles`};{' '}
        {program === null
          ? 'each exchange counts once. To see one exchange, often in smaller groups, choose it in the table'
          : 'the bytes are those of one execution'}
        {traffic.pairs.length > kPairs && `. The table has the ${integer(kPairs)} largest of ${integer(traffic.pairs.length)} pairs`}. Drag
        a box to zoom into it; arrow keys move, + − 0 zoom.
      </p>
    </Card>
  );
}

/** The traffic over links, from IPU to IPU. */
export function LinksCard({ profile, program }: { readonly profile: Profile; readonly program: number | null }): JSX.Element | null {
  const rows = useMemo(() => linkTransfers(profile, program), [profile, program]);
  if (profile.target.ipus < 2) return null;
  return (
    <Card title="Between IPUs">
      <Table
        label="Between IPUs"
        rows={rows}
        height={320}
        empty="No data goes from one IPU to another here."
        columns={[
          {
            title: 'Exchange',
            step: (r) => stepCells(profile, r.program),
            value: (r) => programLabel(profile.programs[r.program]),
            show: (r) => <ProgramLink profile={profile} id={r.program} view="exchange" />,
          },
          { title: 'From IPU', value: (r) => r.from },
          { title: 'To IPU', value: (r) => r.to },
          { title: 'Bytes', unit: 'B', value: (r) => r.bytes, help: 'In one execution' },
          { title: 'Tiles', value: (r) => r.tiles, help: 'Number of tiles that send or receive a part of the data' },
        ]}
      />
      {replicasNote(profile, rows) && <p class="hint">{replicasNote(profile, rows)}</p>}
    </Card>
  );
}
