// Notes in a link: parsing returns the notes that were written, and the view's own parameters stay separate.
import { describe, expect, it } from 'vitest';
import { parseRoute } from '../src/app/route';
import { readAnswers } from '../src/data/answers';
import { addNote, kMaxNotes, parseNotes, withNotes } from '../src/derived/bookmarks';

const kNotes = [
  { route: 'memory?tiles=3,5-9&by=category', text: 'full of stack & <b>code</b> = 50 % #1?' },
  { route: 'execution', text: '' },
];

describe('notes', () => {
  it('are in the fragment, and are none of the view’s parameters', () => {
    for (const fragment of ['#verdict', '#tile?tile=7&step=3']) {
      const whole = withNotes(fragment, kNotes);
      expect(parseNotes(whole)).toEqual(kNotes);
      expect(parseRoute(whole)).toEqual(parseRoute(fragment));
    }
    expect(withNotes('#verdict', [])).toBe('#verdict');
    expect(parseNotes('#verdict')).toEqual([]);
  });

  it('are one a view, and no more than a link can carry', () => {
    const once = addNote(kNotes, { route: 'execution', text: ' late tile ' });
    expect(once).toEqual([kNotes[0], { route: 'execution', text: 'late tile' }]);
    let many = addNote([], { route: 'sql', text: 'x'.repeat(1000) });
    expect(many[0]?.text.length).toBe(300);
    for (let i = 0; i < 2 * kMaxNotes; ++i) many = addNote(many, { route: `tile?tile=${i}`, text: '' });
    expect(many.length).toBe(kMaxNotes);
  });

  it('of a stranger’s link do not turn the direction of text, as answers in a page do not', () => {
    expect(parseNotes('#verdict?note=tile+a%E2%80%AEb')).toEqual([{ route: 'tile', text: 'a\\xe2\\x80\\xaeb' }]);
    const answers = readAnswers(new TextEncoder().encode('{"views":{"gap":{"lines":["a\u202eb"]}},"lossOfRuns":[]}'));
    expect(answers?.views.gap?.lines).toEqual(['a\\xe2\\x80\\xaeb']);
  });

  it('of a stranger’s link are bounded', () => {
    const stranger = `#verdict?${Array.from({ length: 500 }, (_, i) => `note=tile%3Ftile%3D${i}+${'y'.repeat(999)}`).join('&')}&note=`;
    const read = parseNotes(stranger);
    expect(read.length).toBe(kMaxNotes);
    expect(Math.max(...read.map((note) => note.text.length))).toBe(300);
  });
});
