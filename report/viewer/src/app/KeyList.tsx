// All keys of the page.
import type { JSX } from 'preact';
import { kViewKeys } from './viewKeys';

const kKeys: readonly (readonly [string, string])[] = [
  ['?', 'this list'],
  ['Esc', 'closes this list or a menu, or clears the selection'],
  ['/', 'goes to the first search or filter field of the view'],
  ['p', 'goes to the first picture of the view'],
  ['n', 'opens notes and bookmarks'],
  ['Tab', 'moves through links, controls, tables and pictures'],
  ['Enter', 'on a row of a table: same as a click'],
  ['← →', 'in a picture: previous and next step, tile or window'],
  [
    'Ctrl, Shift + wheel',
    'in the pictures of Execution and Tile: zoom horizontally (Ctrl) or vertically (Shift); a drag with Alt moves the chart of Execution',
  ],
  ['↑ ↓', 'in a floor plan: the tile above and below; in Program: previous and next step; in Tile: higher and lower addresses'],
  ['+ − 0', 'in a picture over tiles, steps or cycles: zoom in, zoom out, show all; in Program: + unfolds all, − folds all'],
  ['PageUp, PageDown', 'in Tile: zoom the addresses in and out; in the chart of Execution: zoom the tiles'],
  [', .', 'in the chart of Execution: select the previous and next step'],
  ['s', 'in the chart of Execution: selects all visible steps; with Shift, a click or a drag adds to the selection'],
  ['PNG, SVG', 'buttons below each picture that save it; Tab reaches them'],
];

export function KeyList(): JSX.Element {
  return (
    <dl class="keylist">
      {[...kKeys, ...kViewKeys.map((view) => [view.press, view.title] as const)].map(([key, what]) => (
        <>
          <dt key={key}>
            <kbd>{key}</kbd>
          </dt>
          <dd>{what}</dd>
        </>
      ))}
    </dl>
  );
}
