// All keys of the page.
import type { JSX } from 'preact';
import { kViewKeys } from './viewKeys';

const kKeys: readonly (readonly [string, string])[] = [
  ['?', 'this list'],
  ['Esc', 'closes what is open: this list, a menu, what is selected'],
  ['/', 'to the first search or filter of the view'],
  ['p', 'to the first picture of the view'],
  ['n', 'notes and bookmarks'],
  ['Tab', 'walks through links, controls, tables and pictures'],
  ['Enter', 'on a row of a table: as a click on it'],
  ['← →', 'in a picture: the step, tile or window before and after'],
  ['Ctrl, Shift + wheel', 'in a picture of execution or of a tile: closer and further across, and down; Alt and a drag move it'],
  ['↑ ↓', 'in a floor plan: the tile above and below; in the program: the step before and after; in a tile: addresses above and below'],
  ['+ − 0', 'in a picture over tiles, steps or cycles: closer, further, all of it; in the program + and − unfold and fold all'],
  ['PageUp, PageDown', 'in a tile: its addresses closer and further; in the chart of execution: its tiles'],
  [', .', 'in the chart of execution: select the step before and after'],
  ['s', 'in the chart of execution: selects all steps in sight; with Shift, a click or a drag adds to what is selected'],
  ['PNG, SVG', 'buttons after each picture, reached by Tab, save it'],
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
