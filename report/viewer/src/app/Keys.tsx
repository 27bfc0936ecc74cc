// Shows the list of keys over the open view.
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { KeyList } from './KeyList';

export function Keys({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="keys" aria-label="Keys" onClose={onClose}>
      <h2>Keys</h2>
      <KeyList />
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}
