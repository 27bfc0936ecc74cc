// All tiles at a step of the program as a floor plan, with a slider over the steps. The slider can also play the steps.
import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { link, numberParam, type Route, setParams } from '../../app/route';
import type { Profile } from '../../data/profile';
import { bytes, integer } from '../../derived/format';
import { programLabel } from '../../derived/names';
import { countable, occupancyAt } from './occupancy';
import type { TilePlaces } from '../../derived/tilePlaces';
import { collectPeak } from '../../derived/verdict';
import { Choice, ProgramLink } from '../common';
import { Floor } from './MemoryPictures';

const kFrame = 150; // milliseconds per step while playing

export function TilesOverTime({
  profile,
  route,
  selected,
  places,
}: {
  readonly profile: Profile;
  readonly route: Route;
  readonly selected: readonly number[];
  readonly places: TilePlaces | null;
}): JSX.Element {
  const points = profile.livenessSteps;
  const [plays, setPlays] = useState(false);
  const options = countable(profile);
  const [key, label, counted] = options.find(([k]) => k === route.params.of) ?? options[0]!;
  const asked = numberParam(route, 'step', collectPeak(profile)?.program ?? 0, 0, Math.max(0, profile.programs.length - 1));
  const at = Math.max(
    0,
    points.findIndex((p) => p.program >= asked),
  );
  const step = points[at]?.program ?? 0;
  const held = useMemo(() => occupancyAt(profile, step, counted), [profile, step, counted]);
  const { bytesPerTile } = profile.target;
  const values = useMemo(() => (key === 'headroom' ? held && held.map((b) => bytesPerTile - b) : held), [held, key, bytesPerTile]);
  // All steps share one colour scale: it ends at the bytes of the fullest tile, or at the memory of a tile.
  const whole = route.params.max === 'tile';
  const top = useMemo(() => profile.memory.total.reduce((most, b) => (b > most ? b : most), 1), [profile]);
  const range: readonly [number, number] = key === 'headroom' ? [bytesPerTile - top, bytesPerTile] : [0, top];
  const go = (to: number) => setParams({ step: points[Math.min(points.length - 1, Math.max(0, to))]?.program ?? '' });
  useEffect(() => {
    if (!plays) return;
    const timer = setTimeout(() => (at + 1 < points.length ? go(at + 1) : setPlays(false)), kFrame);
    return () => clearTimeout(timer);
  }, [plays, at]);
  if (points.length === 0)
    return <p class="empty">This profile has no liveness of programs, so the bytes of a tile at a step are not known.</p>;
  const fullest = values?.reduce((best, v, t) => ((key === 'headroom' ? v < values[best]! : v > values[best]!) ? t : best), 0) ?? 0;
  return (
    <>
      <div class="controls scrubber">
        <Choice label="Of" value={key} options={options.map(([k, l]) => [k, l] as const)} onChange={(v) => setParams({ of: v })} />
        <button
          type="button"
          onClick={() => {
            if (!plays && at + 1 >= points.length) go(0);
            setPlays(!plays);
          }}
        >
          {plays ? 'Pause' : 'Play'}
        </button>
        <input
          type="range"
          aria-label="Step of the program"
          aria-valuetext={`Step ${step}: ${programLabel(profile.programs[step])}`}
          min={0}
          max={points.length - 1}
          value={at}
          onInput={(e) => go(Number(e.currentTarget.value))}
        />
        <span>
          Step <ProgramLink profile={profile} id={step} />, {integer(at + 1)} of {integer(points.length)}
        </span>
      </div>
      {values ? (
        <>
          <p>
            {key === 'headroom' ? 'Least' : 'Most'} on tile <a href={link('tile', { tile: fullest, step })}>{fullest}</a>:{' '}
            {bytes(values[fullest] ?? NaN)} of {bytes(bytesPerTile)}; {bytes(values.reduce((a, b) => a + b, 0))} on all tiles.
          </p>
          <Floor profile={profile} values={values} selected={selected} whole={whole} range={range} label={label} places={places} />
        </>
      ) : (
        <p class="empty">The file has no addresses, or too many for this page to count.</p>
      )}
    </>
  );
}
