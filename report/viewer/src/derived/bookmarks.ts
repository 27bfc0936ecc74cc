// Notes on views, stored in the link: each "note" parameter of the fragment has a route, a space, and the user's text.
//
//   #memory?tiles=3&note=memory%3Ftiles%3D3+the+stack+alone&note=execution%3Frun%3D1

import { visible } from '../data/visible';

export interface Note {
  readonly route: string; // "memory?tiles=3"
  readonly text: string; // empty: a bookmark without text
}

export const kNoteKey = 'note';
export const kMaxNotes = 40; // keeps links short enough for a message
export const kMaxNoteLength = 300;

const queryOf = (fragment: string): URLSearchParams => new URLSearchParams(fragment.split('?').slice(1).join('?'));

/** Returns the notes of a fragment, in order. */
export function parseNotes(fragment: string): readonly Note[] {
  return queryOf(fragment)
    .getAll(kNoteKey)
    .slice(0, kMaxNotes)
    .map((word) => {
      const at = word.indexOf(' ');
      return at < 0 ? { route: word, text: '' } : { route: word.slice(0, at), text: visible(word.slice(at + 1, at + 1 + kMaxNoteLength)) };
    })
    .filter((note) => note.route !== '');
}

/** Returns a fragment with notes appended. */
export function withNotes(fragment: string, notes: readonly Note[]): string {
  if (notes.length === 0) return fragment;
  const query = new URLSearchParams();
  for (const note of notes) query.append(kNoteKey, note.text === '' ? note.route : `${note.route} ${note.text}`);
  return `${fragment}${fragment.includes('?') ? '&' : '?'}${query.toString()}`;
}

/** Adds a note. A view has one note, so the new note replaces an older note on the same view. */
export function addNote(notes: readonly Note[], note: Note): readonly Note[] {
  const clean = { route: note.route, text: note.text.trim().slice(0, kMaxNoteLength) };
  const at = notes.findIndex((old) => old.route === note.route);
  if (at >= 0) return notes.map((old, i) => (i === at ? clean : old));
  return notes.length < kMaxNotes ? [...notes, clean] : notes;
}
