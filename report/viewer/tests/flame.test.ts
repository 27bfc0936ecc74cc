// Names over time: spans by the program and by layers, on a run with two layers in a loop of two iterations.
import { describe, expect, it } from 'vitest';
import type { Profile, Run } from '../src/data/profile';
import { flame, kLayer, type Span } from '../src/derived/flame';
import { drawFlame } from '../src/draw/flame';
import { SvgSurface } from '../src/draw/surface';
import { kThemes, type Theme } from '../src/theme';

const kPrograms = [
  ['Repeat', 'train', null],
  ['Sync', 'Internal', 0],
  ['DoExchange', 'Layer1/Fwd/ExchangePre', 0],
  ['OnTileExecute', 'Layer1/Fwd', 0],
  ['OnTileExecute', 'Layer1/Wu', 0],
  ['OnTileExecute', 'Layer2', 0],
] as const;
const kExecuted = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5];

/** Each step takes ten cycles; a sync takes none itself. */
function profile(): Profile {
  const start = (i: number) => 10 * i;
  const column = (of: (i: number) => number) => Float64Array.from(kExecuted, (_, i) => of(i));
  const steps = {
    ipus: 1,
    count: kExecuted.length,
    program: Int32Array.from(kExecuted),
    cycles: column((i) => (kExecuted[i] === 1 ? 0 : 10)),
    from: column(start),
    to: column((i) => start(i) + 10),
    activeFrom: column(start),
    activeTo: column((i) => start(i) + 10),
  };
  const programs = kPrograms.map(([type, name, parent], id) => ({ id, type, name, parent }));
  return { programs, steps, keep: <T>(_: string, make: () => T) => make() } as unknown as Profile;
}

const kRun = { id: 0, firstStep: 0, endStep: kExecuted.length } as Run;
const text = (spans: ReturnType<typeof flame>) =>
  spans
    .filter((span) => span.program !== 1)
    .map((span) => `${span.depth} ${span.label || kPrograms[span.program]?.[1]} ${span.from}-${span.to}`)
    .sort();

describe('names over time', () => {
  it('by the program have a span of the loop around all steps', () => {
    const spans = text(flame(profile(), kRun, 0, 'nested'));
    expect(spans[0]).toBe('0 train 0-100');
    expect(spans.filter((span) => span.startsWith('1 ')).length).toBe(8);
  });

  it('by layer have a span for each part of a path, with the barriers before its steps', () => {
    const layers = flame(profile(), kRun, 0, 'layers');
    expect(text(layers)).toEqual([
      '0 Layer1 0-40',
      '0 Layer1 50-90',
      '0 Layer2 40-50',
      '0 Layer2 90-100',
      '1 Fwd 0-20',
      '1 Fwd 50-70',
      '1 Layer1/Fwd 20-30',
      '1 Layer1/Fwd 70-80',
      '1 Layer1/Wu 30-40',
      '1 Layer1/Wu 80-90',
      '2 Layer1/Fwd/ExchangePre 10-20',
      '2 Layer1/Fwd/ExchangePre 60-70',
    ]);
    const whole = layers.filter((span) => span.program === kLayer && span.label === 'Layer1');
    expect(whole.map((span) => [span.step, span.endStep])).toEqual([
      [0, 4],
      [5, 9],
    ]);
  });

  it('of all IPUs have each step as long as on the IPU that works longest in it', () => {
    // IPU 0 waits at a barrier while IPU 1 computes: the time belongs to the compute set.
    const programs = [
      { id: 0, type: 'OnTileExecute', name: 'late', parent: null },
      { id: 1, type: 'Sync', name: 'External', parent: null },
    ];
    const steps = {
      ipus: 2,
      count: 2,
      program: Int32Array.of(0, 1),
      cycles: Float64Array.of(0, 900, 0, 0),
      from: Float64Array.of(0, 0, 0, 900),
      to: Float64Array.of(0, 900, 910, 910),
      activeFrom: Float64Array.of(0, 0, 0, 900),
      activeTo: Float64Array.of(0, 900, 0, 900),
    };
    const two = { programs, steps, keep: <T>(_: string, make: () => T) => make() } as unknown as Profile;
    const run = { id: 0, firstStep: 0, endStep: 2 } as Run;
    const lengths = (ipu: number | null) => flame(two, run, ipu, 'flat').map((s) => [programs[s.program]?.name, s.to - s.from]);
    expect(lengths(null)).toEqual([
      ['late', 900],
      ['External', 10],
    ]);
    expect(lengths(0)).toEqual([
      ['late', 0],
      ['External', 910],
    ]);
  });

  it('side by side have all steps and nothing around them', () => {
    expect(flame(profile(), kRun, 0, 'flat').length).toBe(kExecuted.length);
  });

  it('have in each pixel the colour of the activity with most cycles, however short the steps are', () => {
    const theme = kThemes[0] as Theme;
    // 1,000 barriers of 1 cycle, each before a compute set that has 9 steps of 1 cycle; ten steps share a pixel, or twenty do.
    const spans = Array.from({ length: 10_000 }, (_, i): Span => {
      const program = i % 10 === 0 ? 1 : 3;
      return { program, label: '', depth: 0, from: i, to: i + 1, step: i, endStep: i + 1 };
    });
    const marks = { steps: new Set<number>(), program: -1, found: new Set<number>() };
    for (const width of [566, 1066]) {
      const surface = new SvgSurface(width, 20, '');
      drawFlame(surface, profile(), spans, [0, 10_000], marks, width, theme);
      const fills = [...surface.toString().matchAll(/<rect [^>]*fill="([^"]*)"/g)].map((match) => match[1]);
      expect(fills.length).toBe(width - 66);
      expect(new Set(fills)).toEqual(new Set([theme.activity.compute]));
    }
  });

  it('frame a selected step that shares its pixel with others', () => {
    const theme = kThemes[0] as Theme;
    const spans = Array.from({ length: 1000 }, (_, i): Span => ({
      program: 3,
      label: '',
      depth: 0,
      from: i,
      to: i + 1,
      step: i,
      endStep: i + 1,
    }));
    const one = { ...profile(), steps: { ...profile().steps, program: new Int32Array(1000).fill(3) } } as unknown as Profile;
    const surface = new SvgSurface(166, 20, '');
    drawFlame(surface, one, spans, [0, 1000], { steps: new Set([505]), program: -1, found: new Set() }, 166, theme);
    expect(surface.toString().match(new RegExp(`stroke="${theme.mark}"`, 'g'))?.length).toBe(1);
  });
});
