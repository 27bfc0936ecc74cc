// Writes tables as comma-separated values for the clipboard.
export type Cell = string | number | null;

/** A column of a table, and the form that it has in a copy of the table. */
export interface CopiedColumn<Row> {
  readonly title: string;
  readonly unit?: string;
  readonly value: (row: Row) => Cell; // value for sorting and copying; the filter also finds the shown text
  readonly copies?: readonly [title: string, value: (row: Row) => Cell]; // replaces the column in a copy
  // in a copy, two columns with the number and the name of a step replace the column
  readonly step?: (row: Row) => readonly [number: number | null, name: string | null];
}

/** Returns one line of comma-separated values. Text that a spreadsheet would treat as a formula is quoted as text. */
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

/** Returns rows as comma-separated values, with the titles and units of the columns. */
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
