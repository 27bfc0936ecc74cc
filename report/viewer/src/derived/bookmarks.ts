// Notes on views, which a link carries along: parameters "note" of the fragment, each a route, a space, and what a person wrote there.
//
//   #memory?tiles=3&note=memory%3Ftiles%3D3+the+stack+alone&note=execution%3Frun%3D1

import { visible } from '../data/visible';

export interface Note {
  readonly route: string; // "memory?tiles=3"
  readonly text: string; // empty: a bookmark alone
}

export const kNoteKey = 'note';
export const kMaxNotes = 40; // a link has to fit into a message
export const kMaxNoteLength = 300;

const queryOf = (fragment: string): URLSearchParams => new URLSearchParams(fragment.split('?').slice(1).join('?'));

/** The notes of a fragment, in order. */
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

/** A fragment with notes behind what it has. */
export function withNotes(fragment: string, notes: readonly Note[]): string {
  if (notes.length === 0) return fragment;
  const query = new URLSearchParams();
  for (const note of notes) query.append(kNoteKey, note.text === '' ? note.route : `${note.route} ${note.text}`);
  return `${fragment}${fragment.includes('?') ? '&' : '?'}${query.toString()}`;
}

/** One note a view: what is written there again takes its place. */
export function addNote(notes: readonly Note[], note: Note): readonly Note[] {
  const clean = { route: note.route, text: note.text.trim().slice(0, kMaxNoteLength) };
  const at = notes.findIndex((old) => old.route === note.route);
  if (at >= 0) return notes.map((old, i) => (i === at ? clean : old));
  return notes.length < kMaxNotes ? [...notes, clean] : notes;
}
