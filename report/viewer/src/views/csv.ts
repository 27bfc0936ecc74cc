// Tables as comma-separated values, as they are copied.
export type Cell = string | number | null;

/** What a copy has of a column. */
export interface CopiedColumn<Row> {
  readonly title: string;
  readonly unit?: string;
  readonly value: (row: Row) => Cell; // what sorts, filters and copies
  readonly copies?: readonly [title: string, value: (row: Row) => Cell]; // what a copy has in its place
  readonly step?: (row: Row) => readonly [number: number | null, name: string | null]; // a copy has both, whatever is shown
}

/** One line of comma-separated values; text that a spreadsheet would take for a formula is quoted as text. */
export function csvLine(cells: readonly Cell[]): string {
  return cells
    .map((cell) => {
      if (cell === null || (typeof cell === 'number' && !Number.isFinite(cell))) return '';
      if (typeof cell === 'number') return String(cell);
      const safe = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
      return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
    })
    .join(',');
}

/** Rows as comma-separated values, with the titles of columns and their units. */
export function csvOf<Row>(columns: readonly CopiedColumn<Row>[], rows: readonly Row[]): string {
  const copied = columns.flatMap((c): (readonly [string, (row: Row) => Cell])[] => {
    const { step } = c;
    if (step)
      return [
        [`${c.title} (number)`, (row) => step(row)[0]],
        [c.title, (row) => step(row)[1]],
      ];
    return [c.copies ?? [c.unit ? `${c.title} (${c.unit})` : c.title, c.value]];
  });
  const lines = [copied.map(([title]) => title), ...rows.map((row) => copied.map(([, value]) => value(row)))];
  return lines.map((line) => csvLine(line) + '\n').join('');
}
