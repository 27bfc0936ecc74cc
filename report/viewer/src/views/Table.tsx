// A table that sorts, filters and copies as CSV. The page contains only the visible rows, so 100,000 rows still scroll.
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { integer, percent, percentNumber } from '../derived/format';
import { orderKey } from '../derived/order';
import { textScale } from './textScale';
import { type Cell, type CopiedColumn, csvOf } from './csv';
import { HiddenColumns } from './HiddenColumns';
import { CellRoom, Short } from './Short';

export interface Column<Row> extends CopiedColumn<Row> {
  readonly help?: string;
  readonly show?: (row: Row) => ComponentChildren; // default: the value
  readonly width?: string;
  readonly names?: boolean; // the cells show names, though they sort by a number
  readonly long?: boolean; // the column has sentences and takes the width that other columns leave
}

interface Props<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly height?: number; // maximum in pixels
  readonly empty?: string;
  readonly selected?: (row: Row) => boolean;
  readonly onPick?: (row: Row) => void;
}

/** Returns a column of shares of a whole; sorts and copies as a number of percent. */
export function shareColumn<Row>(part: (row: Row) => number, whole: (row: Row) => number, title = 'Share', help?: string): Column<Row> {
  return {
    title,
    unit: '%',
    value: (row) => percentNumber(part(row), whole(row)),
    show: (row) => percent(part(row), whole(row)),
    ...(help === undefined ? {} : { help }),
  };
}

const kMaxPrinted = 200; // maximum rows of a printed table
const kRow = 26; // pixels per row at the usual text size

/** Sorts rows. Unknown values come last in both directions; equal values keep their order. Numbers come before names. */
export function sortRows<Row>(rows: readonly Row[], value: (row: Row) => Cell, down: boolean): Row[] {
  const keys = rows.map((row) => {
    const cell = value(row);
    return cell === null || (typeof cell === 'number' && Number.isNaN(cell)) ? null : typeof cell === 'number' ? cell : orderKey(cell);
  });
  const way = down ? -1 : 1;
  return Array.from(keys, (_, index) => index)
    .sort((i, j) => {
      const [a, b] = [keys[i] ?? null, keys[j] ?? null];
      if (a === null || b === null) return Number(a === null) - Number(b === null) || i - j;
      if (typeof a !== typeof b) return typeof a === 'number' ? -way : way;
      return a < b ? -way : a > b ? way : i - j;
    })
    .map((index) => rows[index]!);
}

/** Returns a number with separators, or with an exponent if it would have very many digits or none but zeros. */
export function shownNumber(value: number): string {
  const size = Math.abs(value);
  return (size === 0 || (size >= 1e-3 && size < 1e21) ? value.toLocaleString('en-US') : String(value)).replace(/^-/, '−');
}

/** Returns what a cell shows. A text in a column that is not `long` is shortened to the width of its cell. */
function shownCell<Row>(column: Column<Row>, row: Row): ComponentChildren {
  if (column.show) return column.show(row);
  const value = column.value(row);
  if (typeof value === 'number') return Number.isFinite(value) ? shownNumber(value) : '–';
  return value === null || column.long ? (value ?? '–') : <Short name={value} most={Infinity} />;
}

/**
 * Returns the texts in which the filter searches: the value of a cell as it is and as the table shows it, and the name of a step, between
 * its number, because cells show the number before or after the name.
 */
export function searched<Row>(column: Column<Row>, row: Row): string[] {
  const value = column.value(row);
  const [step, name] = column.step?.(row) ?? [null, null];
  const texts = [String(value ?? ''), step === null ? (name ?? '') : `${step} ${name ?? ''} ${step}`];
  if (typeof value !== 'number') return texts;
  const shown = column.show?.(row);
  return [...texts, typeof shown === 'string' ? shown : shownNumber(value)];
}

/** Returns "1 row", "2,000 rows" or "3 of 2,000 rows". */
export function countText(shown: number, all: number): string {
  const text = (n: number) => n.toLocaleString('en-US');
  return `${shown === all ? '' : `${text(shown)} of `}${text(all)} row${all === 1 ? '' : 's'}`;
}

export function Table<Row>(props: Props<Row>): JSX.Element {
  const [sort, setSort] = useState<{ column: number; down: boolean } | null>(null);
  const [filter, setFilter] = useState('');
  const [top, setTop] = useState(0);
  const [copied, setCopied] = useState(false);
  const titles = props.columns.map((c) => c.title).join('\n');
  const rows = useMemo(() => {
    const word = filter.trim().toLowerCase();
    const kept =
      word === ''
        ? props.rows
        : props.rows.filter((row) => props.columns.some((c) => searched(c, row).some((text) => text.toLowerCase().includes(word))));
    const column = sort ? props.columns[sort.column] : undefined;
    return column && sort ? sortRows(kept, column.value, sort.down) : kept;
    // Compares titles, because the columns are new objects whenever a view renders.
  }, [props.rows, titles, filter, sort]);
  const height = props.height ?? 420;
  const row = kRow * textScale();
  const box = useRef<HTMLDivElement>(null);
  const [rooms, setRooms] = useState<readonly number[]>([]);
  const chosen = props.selected ? rows.findIndex(props.selected) : -1;
  useLayoutEffect(() => {
    const [element, y] = [box.current, chosen * row];
    if (element && chosen >= 0 && (y < element.scrollTop || y > element.scrollTop + height - 2 * row))
      element.scrollTop = Math.max(0, y - height / 3);
  }, [chosen]);
  const printing = matchMedia('print').matches;
  const first = printing ? 0 : Math.max(0, Math.floor(top / row) - 6);
  const last = Math.min(rows.length, printing ? kMaxPrinted : first + Math.ceil(height / row) + 14);
  const numeric = props.columns.map(
    (c) =>
      c.names !== true &&
      props.rows.length > 0 &&
      props.rows.slice(0, 50).every((row) => c.value(row) === null || typeof c.value(row) === 'number'),
  );
  const copy = () => {
    const content = csvOf(props.columns, rows);
    void navigator.clipboard?.writeText(content).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    });
  };
  const small = (props.rows.length + 1) * kRow <= height; // all rows are visible at once, so there is nothing to filter
  if (props.rows.length === 0) return <p class="empty">{props.empty ?? 'Nothing to list.'}</p>;
  return (
    <div class={small ? 'table small' : 'table'}>
      <div class="tools">
        {!small && (
          <input
            type="search"
            placeholder="Filter"
            aria-label={`Filter ${props.label}`}
            value={filter}
            onInput={(e) => setFilter(e.currentTarget.value)}
          />
        )}
        {!small && <span class="count">{countText(rows.length, props.rows.length)}</span>}
        <button type="button" onClick={copy}>
          {copied ? 'Copied' : 'Copy as CSV'}
        </button>
      </div>
      <div
        class="scroll"
        ref={box}
        style={{ maxHeight: `${height}px` }}
        tabIndex={0}
        role="region"
        aria-label={props.label}
        onScroll={(e) => setTop(e.currentTarget.scrollTop)}
      >
        <table aria-label={props.label} aria-rowcount={rows.length}>
          <thead>
            <tr>
              {props.columns.map((column, i) => (
                <th
                  key={column.title}
                  style={column.width ? { width: column.width } : {}}
                  class={numeric[i] ? 'number' : ''}
                  data-title={column.title}
                  title={column.help}
                  aria-sort={sort?.column === i ? (sort.down ? 'descending' : 'ascending') : 'none'}
                >
                  <button
                    type="button"
                    onClick={() => setSort((s) => ({ column: i, down: s?.column === i ? !s.down : (numeric[i] ?? false) }))}
                  >
                    {column.title}
                    {column.unit && column.unit !== '%' && <span class="unit"> {column.unit}</span>}
                    {sort?.column === i && (sort.down ? ' ▾' : ' ▴')}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {first > 0 && (
              <tr aria-hidden="true">
                <td colSpan={props.columns.length} style={{ height: `${first * row}px`, padding: 0 }} />
              </tr>
            )}
            {rows.slice(first, last).map((entry, i) => (
              <tr
                key={first + i}
                class={props.selected?.(entry) ? 'selected' : props.onPick ? 'pickable' : ''}
                onClick={props.onPick ? () => props.onPick?.(entry) : undefined}
                tabIndex={props.onPick ? 0 : undefined}
                onKeyDown={
                  props.onPick
                    ? (e) => {
                        if (e.key === 'Enter' && e.target === e.currentTarget) props.onPick?.(entry);
                      }
                    : undefined
                }
              >
                {props.columns.map((column, c) => {
                  const value = column.value(entry);
                  const shown = shownCell(column, entry);
                  return (
                    <td
                      key={column.title}
                      class={numeric[c] ? 'number' : column.long ? 'long' : ''}
                      title={typeof value === 'string' && value.length > 24 ? value : undefined}
                    >
                      {numeric[c] ? (
                        shown
                      ) : (
                        <CellRoom.Provider value={printing ? Infinity : (rooms[c] ?? Infinity)}>{shown}</CellRoom.Provider>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
            {last < rows.length && (
              <tr aria-hidden="true">
                <td colSpan={props.columns.length} style={{ height: `${(rows.length - last) * row}px`, padding: 0 }} />
              </tr>
            )}
          </tbody>
        </table>
      </div>
      <HiddenColumns box={box} onRooms={(next) => setRooms((old) => (next.join() === old.join() ? old : next))} />
      {printing && last < rows.length && (
        <p class="printed">
          {integer(last)} of {integer(rows.length)} rows are printed; “Copy as CSV” has all.
        </p>
      )}
    </div>
  );
}
