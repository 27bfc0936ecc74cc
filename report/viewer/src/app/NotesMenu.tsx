// Bookmarks and notes: a menu of all notes, and the note on the open view.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { addNote, kMaxNoteLength, kMaxNotes, type Note } from '../derived/bookmarks';
import { setNotes, useNotes } from './notes';
import { formatRoute, parseRoute, type Route } from './route';
import { kViewKeys } from './viewKeys';

/** Returns a description such as "Memory, tiles 3". */
function describe(note: Note): string {
  const { view, params } = parseRoute(note.route);
  const title = kViewKeys.find((v) => v.key === view)?.title ?? view;
  const rest = Object.entries(params).map(([key, value]) => `${key} ${value}`);
  return [title, ...rest].join(', ');
}

const bareOf = (route: Route): string => formatRoute(route);
const keyOf = (route: Route): string => formatRoute(route).slice(1) || 'verdict';

export function NotesMenu({ route }: { readonly route: Route }): JSX.Element {
  const notes = useNotes();
  const here = keyOf(route);
  const [draft, setDraft] = useState<{ readonly of: string; readonly text: string } | null>(null);
  const text = draft?.of === here ? draft.text : (notes.find((note) => note.route === here)?.text ?? '');
  const [copied, setCopied] = useState(false);
  const keep = () => {
    setNotes(addNote(notes, { route: here, text }), bareOf(route));
    setDraft(null);
  };
  const copy = () =>
    void navigator.clipboard?.writeText(location.href).then(() => {
      setCopied(true);
      setTimeout(() => setCopied(false), 1500);
    });
  return (
    <details class="menu notemenu">
      <summary title="Notes (n)">Notes{notes.length > 0 && ` (${notes.length})`}</summary>
      <div>
        <form
          onSubmit={(e) => {
            e.preventDefault();
            keep();
          }}
        >
          <input
            type="text"
            aria-label="Note on this view"
            placeholder="Note on this view"
            maxLength={kMaxNoteLength}
            value={text}
            onInput={(e) => setDraft({ of: here, text: e.currentTarget.value })}
          />
          <button type="submit" disabled={notes.length >= kMaxNotes && !notes.some((note) => note.route === here)}>
            Keep
          </button>
        </form>
        {notes.length === 0 ? (
          <p class="hint">A note saves this view and everything that you chose in it. A copy of the page’s address contains the notes.</p>
        ) : (
          <>
            <ul class="notelist">
              {notes.map((note) => (
                <li key={note.route}>
                  <a href={`#${note.route}`}>{note.text || describe(note)}</a>
                  {note.text !== '' && <span class="id"> {describe(note)}</span>}
                  <button
                    type="button"
                    aria-label={`Remove the note “${note.text || describe(note)}”`}
                    onClick={() =>
                      setNotes(
                        notes.filter((other) => other !== note),
                        bareOf(route),
                      )
                    }
                  >
                    ×
                  </button>
                </li>
              ))}
            </ul>
            <button type="button" onClick={copy}>
              {copied ? 'Copied' : 'Copy the link with all notes'}
            </button>
          </>
        )}
      </div>
    </details>
  );
}

/** The note on the open view. */
export function NoteHere({ route }: { readonly route: Route }): JSX.Element | null {
  const note = useNotes().find((one) => one.route === keyOf(route));
  return note ? (
    <p class="noted" role="note">
      {note.text || 'This view has a bookmark.'}
    </p>
  ) : null;
}
