// Live bytes at each liveness step as stacked series: always live, not always live, and in each the false-live bytes.
import { livenessOfIpu } from '../../data/extras';
import type { Profile } from '../../data/profile';
import type { Series } from '../../draw/bars';
import type { Theme } from '../../theme';
import { occupiedBytes } from '../../derived/liveness';
import { falseLiveBytes } from '../../derived/saving';

/** The tiles of the series (null: all tiles), and whether always-live bytes are included. */
export interface LivePlace {
  readonly tile: number | null;
  readonly ipu: number | null;
  readonly always: boolean;
}

/** Returns the bytes that are not always live, at each liveness step, and the constant number of always-live bytes. */
function bytesAt(profile: Profile, { tile, ipu }: LivePlace): { readonly turn: Float64Array; readonly forever: number } {
  const points = profile.livenessSteps;
  if (tile !== null) {
    const here = profile.allocations(tile);
    const occupied = occupiedBytes(
      profile,
      here.filter((a) => !a.alwaysLive),
    );
    const forever = here.filter((a) => a.alwaysLive).reduce((sum, a) => sum + a.bytes, 0);
    return { turn: Float64Array.from(points, (p) => occupied[p.program] ?? 0), forever };
  }
  if (ipu === null) return { turn: Float64Array.from(points, (p) => p.bytes), forever: profile.alwaysLiveBytes };
  const here = livenessOfIpu(profile, ipu);
  const perIpu = profile.tiles / profile.ipus;
  const forever = profile.memory.alwaysLive.subarray(ipu * perIpu, (ipu + 1) * perIpu).reduce((sum, b) => sum + b, 0);
  return { turn: Float64Array.from(points, (_, i) => here[i] ?? NaN), forever };
}

/**
 * Splits a series: if the profile has false-live bytes of this kind of variables, these bytes become a series on top. False-live bytes are
 * known only as sums over all tiles.
 */
function split(profile: Profile, bytes: Series, alwaysLive: boolean, theme: Theme): Series[] {
  const falseLive = Float64Array.from(profile.livenessSteps, (p) => falseLiveBytes(profile, alwaysLive)[p.program] ?? 0);
  if (!falseLive.some((v) => v > 0)) return [bytes];
  const label = `${bytes.label}, false-live: no path reads it`;
  return [
    { ...bytes, values: bytes.values.map((v, i) => v - (falseLive[i] ?? 0)) },
    { label, colour: theme.warning, values: falseLive, hatched: alwaysLive },
  ];
}

export function liveSeries(profile: Profile, place: LivePlace, theme: Theme): Series[] {
  const { turn, forever } = bytesAt(profile, place);
  const [below = theme.accent, above = theme.accent] = theme.series;
  const fixed = { label: 'Always live', colour: below, values: new Float64Array(turn.length).fill(forever) };
  const lives = { label: 'Not always live', colour: above, values: turn };
  const whole = place.tile === null && place.ipu === null;
  const parts = (bytes: Series, alwaysLive: boolean) => (whole ? split(profile, bytes, alwaysLive, theme) : [bytes]);
  return [...(place.always ? parts(fixed, true) : []), ...parts(lives, false)];
}
