// The list of keys, over whatever view is open.
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { kViews } from './registry';

const kKeys: readonly (readonly [string, string])[] = [
  ['?', 'this list; Esc closes it'],
  ['/', 'to the first search or filter of the view'],
  ['p', 'to the first picture of the view'],
  ['Tab', 'walks through links, controls, tables and pictures'],
  ['Enter', 'on a row of a table: as a click on it'],
  ['← →', 'in a picture: the step, tile or window before and after'],
  ['↑ ↓', 'in a floor plan: the tile above and below; in the program: the step before and after'],
  ['+ − 0', 'in a picture over tiles, steps or cycles: closer, further, all of it'],
  ['PNG, SVG', 'buttons after each picture, reached by Tab, save it'],
];

export function Keys({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="keys" aria-label="Keys" onClose={onClose}>
      <h2>Keys</h2>
      <dl>
        {kKeys.map(([key, what]) => (
          <>
            <dt key={key}>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
        {kViews.map((view) => (
          <>
            <dt key={view.key}>
              <kbd>{view.press}</kbd>
            </dt>
            <dd>{view.title}</dd>
          </>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
