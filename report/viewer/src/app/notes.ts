// The notes of the page. The address contains the notes in every view, so a copy of the address contains the notes, too.
import { useEffect, useState } from 'preact/hooks';
import { type Note, parseNotes, withNotes } from '../derived/bookmarks';
import { addressWith } from './address';

let notes: readonly Note[] = [];
let begun = false;
const kChanged = 'popscope-notes';
/** Marks history entries in which the page itself wrote the notes: such notes may be older than the current ones. */
const kOurs = { notes: true };

/** Returns a fragment with the notes appended, as in the address. */
export const addressOf = (fragment: string): string => withNotes(fragment, notes);

/**
 * Updates the notes after each change of the address. A link from outside brings its own notes. Any other entry of the history gets the
 * notes of the page.
 */
export function keepNotes(bare: string): void {
  const given = parseNotes(location.hash);
  if (given.length > 0 && (!begun || history.state === null)) {
    notes = given;
    dispatchEvent(new Event(kChanged));
  }
  begun = true;
  if (notes.length > 0 || given.length > 0) history.replaceState(kOurs, '', addressWith(addressOf(bare)));
}

export function setNotes(next: readonly Note[], bare: string): void {
  notes = next;
  history.replaceState(kOurs, '', addressWith(addressOf(bare)));
  dispatchEvent(new Event(kChanged));
}

export function useNotes(): readonly Note[] {
  const [shown, setShown] = useState(notes);
  useEffect(() => {
    const listen = () => setShown(notes);
    listen();
    addEventListener(kChanged, listen);
    return () => removeEventListener(kChanged, listen);
  }, []);
  return shown;
}
