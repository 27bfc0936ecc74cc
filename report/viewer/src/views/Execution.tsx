// The chart of bulk-synchronous execution: tiles down, cycles across, at any zoom; below it the steps as nested names.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { numberParam, type Route, setParams } from '../app/route';
import type { Profile, Run } from '../data/profile';
import { Scale } from '../draw/axes';
import { chartBox, drawChart, drawFlame, kLevel } from '../draw/bsp';
import { criticalPath } from '../derived/critical';
import { endOfRun, flame, kChartRows, kDrawn, poolJob } from '../derived/bsp';
import { duration, integer, parseRanges, percent, rangeList } from '../derived/format';
import { kActivityLabels, programLabel } from '../derived/names';
import { kNoneFound, stepsNamed, stepsWithin } from '../derived/selection';
import { toggleSteps } from '../derived/toggle';
import { whyNoRun } from '../derived/recorded';
import { currentTheme } from '../theme';
import { Card, Legend } from './common';
import { CriticalPath } from './Critical';
import { ExecutionControls } from './ExecutionControls';
import { Picture, type Point } from './Picture';
import { useJob } from './useJob';
import { Blocks, RunCycles, RunStrip } from './Runs';
import { SelectedSteps, StepsLeftOut } from './SelectedSteps';
import { SlowSteps, StepDetails } from './StepDetails';

/** Tile-steps up to which the critical path is found unasked: some 0.1 s. */
const kSmall = 2_000_000;

/** What the fragment selects: executed steps of the run ("at"), or else the first execution of a program ("step"). */
function selectedSteps(profile: Profile, run: Run, at: string, program: number): readonly number[] {
  const chosen = (parseRanges(at, run.endStep) ?? []).filter((s) => s >= run.firstStep);
  if (chosen.length > 0) return chosen;
  for (let s = run.firstStep; s < run.endStep; ++s) if (profile.steps.program[s] === program) return [s];
  return [];
}

function setSelected(steps: readonly number[]): void {
  setParams({ at: rangeList(steps), ...(steps.length === 0 ? { step: '' } : {}) });
}

export function Execution({ profile, route }: { readonly profile: Profile; readonly route: Route }): JSX.Element {
  const runs = profile.runs;
  const wanted = Number(route.params.run ?? NaN);
  const longest = useMemo(
    () => profile.runTotals.reduce((best, r, i, all) => (r.total > (all[best]?.total ?? 0) ? i : best), 0),
    [profile],
  );
  const run: Run | undefined = runs.find((r) => r.id === wanted) ?? runs[longest];
  const everywhere = route.params.ipu === 'all';
  const ipu = everywhere ? 0 : Math.round(numberParam(route, 'ipu', 0, 0, profile.ipus - 1));
  const flat = route.params.names === 'flat';
  const total = profile.runTotals.find((t) => t.run === run?.id)?.total ?? NaN;
  const end = run ? endOfRun(profile, run, ipu) : 1;
  const from = numberParam(route, 'from', 0, 0, end - 1);
  const to = numberParam(route, 'to', end, from + 1, end);
  const window: readonly [number, number] = [from, to];
  const job = run ? poolJob(profile, run, everywhere ? null : ipu) : null;
  const pooled = job?.pooled;
  useJob(job);
  const small = run ? (run.endStep - run.firstStep) * profile.tiles <= kSmall : true;
  const marked = (route.params.critical ?? (small ? 'yes' : 'no')) === 'yes';
  const path = useMemo(() => (run && marked ? criticalPath(profile, run) : null), [profile, run, marked]);
  const spans = useMemo(() => (run ? flame(profile, run, ipu, flat) : []), [profile, run, ipu, flat]);
  const depth = spans.reduce((most, s) => Math.max(most, s.depth + 1), 1);
  const wantedProgram = /^\d+$/.test(route.params.step ?? '') ? Number(route.params.step) : -1;
  const selected = useMemo(
    () => (run ? selectedSteps(profile, run, route.params.at ?? '', wantedProgram) : []),
    [profile, run, route.params.at, wantedProgram],
  );
  const theme = currentTheme();
  const word = (route.params.find ?? '').trim();
  const found = useMemo(() => (run ? stepsNamed(profile, run, word) : kNoneFound), [profile, run, word]);
  const framed = useMemo(() => {
    const [one] = selected;
    return {
      steps: new Set(selected),
      program: selected.length === 1 ? (profile.steps.program[one ?? -1] ?? -1) : -1,
      found: found.programs,
    };
  }, [profile, selected, found]);
  if (!run || !pooled || run.endStep === run.firstStep) {
    return (
      <>
        <Card title="Execution">
          <p class="empty">{whyNoRun(profile)}</p>
        </Card>
        <Blocks profile={profile} route={route} />
      </>
    );
  }
  const [step] = selected;
  const add = (event: MouseEvent) => event.shiftKey || event.ctrlKey || event.metaKey;
  const choose = (steps: readonly number[], event: MouseEvent) => setSelected(add(event) ? toggleSteps(selected, steps) : steps);
  const zoom = (a: number, b: number) => {
    const low = Math.max(0, Math.min(a, b));
    const high = Math.min(end, Math.max(a, b));
    if (high - low >= 2) setParams({ from: Math.floor(low), to: Math.ceil(high) });
  };
  const cycleAt = (p: Point, w: number) => {
    const box = chartBox(w, 0);
    return new Scale(from, to, box.x, box.width).value(p.x);
  };
  const stepAt = (cycle: number) => {
    for (let s = run.firstStep; s < run.endStep; ++s) {
      const at = s * profile.steps.ipus + ipu;
      if (cycle >= (profile.steps.from[at] ?? NaN) && cycle < (profile.steps.to[at] ?? NaN)) return s;
    }
    return null;
  };
  const spanAt = (p: Point, w: number) => {
    const cycle = cycleAt(p, w);
    const level = Math.floor((p.y - 4) / kLevel);
    return spans.find((s) => s.depth === level && s.from <= cycle && cycle < s.to) ?? null;
  };
  const wheel = (p: Point, direction: number, w: number) => {
    const at = cycleAt(p, w);
    const factor = direction > 0 ? 1.25 : 0.8;
    zoom(at - (at - from) * factor, at + (to - at) * factor);
  };
  /** Selects the step before or after; the window follows. With none selected it begins with the first in sight. */
  const walk = (by: number) => {
    const last = selected[by > 0 ? selected.length - 1 : 0];
    const next = last === undefined ? stepsWithin(profile, run, ipu, from, to)[0] : last + by;
    if (next === undefined || next < run.firstStep || next >= run.endStep) return;
    const at = next * profile.steps.ipus + ipu;
    const [start, stop] = [profile.steps.from[at] ?? NaN, profile.steps.to[at] ?? NaN];
    const length = to - from;
    const first = Math.max(0, Math.min(end - length, Math.floor(start - length / 3)));
    setParams({ at: String(next), ...(stop < from || start >= to ? { from: first, to: first + length } : {}) });
  };
  const key = (event: KeyboardEvent) => {
    const length = to - from;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => from > 0 && zoom(Math.max(0, from - length / 4), Math.max(length, to - length / 4)),
      ArrowRight: () => to < end && zoom(Math.min(end - length, from + length / 4), Math.min(end, to + length / 4)),
      '+': () => zoom(from + length / 8, to - length / 8),
      '-': () => zoom(from - length / 6, to + length / 6),
      '0': () => setParams({ from: '', to: '' }),
      s: () => setSelected(stepsWithin(profile, run, ipu, from, to)),
      ',': () => walk(-1),
      '.': () => walk(1),
    };
    const action = moves[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  };
  const span = (a: Point, b: Point, w: number, _h: number, event: MouseEvent) => {
    const [first, last] = [cycleAt(a, w), cycleAt(b, w)];
    if (add(event)) setSelected(toggleSteps(selected, stepsWithin(profile, run, ipu, Math.min(first, last), Math.max(first, last))));
    else zoom(first, last);
  };
  const describe = (s: number) => {
    const at = s * profile.steps.ipus + ipu;
    return (
      <>
        <b>{programLabel(profile.programs[profile.steps.program[s] ?? -1])}</b>
        <div>
          {profile.programs[profile.steps.program[s] ?? -1]?.type}, executed step {s}
        </div>
        <div>
          {integer(profile.steps.from[at] ?? NaN)} – {integer(profile.steps.to[at] ?? NaN)}: work {integer(profile.steps.cycles[at] ?? NaN)}{' '}
          cycles on {integer(profile.steps.activeTiles[at] ?? NaN)} tiles
        </div>
      </>
    );
  };
  return (
    <>
      <Card
        title={`Run ${Number.isFinite(run.number) ? run.number : run.id}: ${integer(total)} cycles, ${duration(total, profile.target.clockHz)}`}
        aside={
          <ExecutionControls
            profile={profile}
            run={run}
            ipu={everywhere ? null : ipu}
            flat={flat}
            marked={marked}
            zoomed={from > 0 || to < end}
            find={route.params.find ?? ''}
            onSelect={() => setSelected(stepsWithin(profile, run, ipu, from, to))}
          />
        }
      >
        <RunStrip profile={profile} run={run} />
        <Picture
          title={`Execution of run ${run.id} on ${everywhere ? 'all IPUs' : `IPU ${ipu}`}`}
          height={kChartRows}
          draw={(surface, w, h, t) => drawChart(surface, profile, pooled, { path: path ?? [], ipu, selected }, window, w, h, t)}
          tip={(p, w) => {
            const s = stepAt(cycleAt(p, w));
            return s === null ? null : describe(s);
          }}
          onPick={(p, w, _h, event) => {
            const s = stepAt(cycleAt(p, w));
            choose(s === null ? [] : [s], event);
          }}
          onSpan={span}
          onWheel={wheel}
          onKey={key}
        />
        <Picture
          title={`Steps of run ${run.id} by name`}
          height={10 + depth * kLevel}
          draw={(surface, w, _h, t) => drawFlame(surface, profile, spans, window, framed, w, t)}
          tip={(p, w) => {
            const s = spanAt(p, w);
            if (!s) return null;
            return (
              <>
                <b>{programLabel(profile.programs[s.program])}</b>
                <div>
                  {profile.programs[s.program]?.type}: {integer(s.to - s.from)} cycles, {percent(s.to - s.from, end)} of the run
                </div>
              </>
            );
          }}
          onPick={(p, w, _h, event) => {
            const s = spanAt(p, w);
            if (!s) return;
            if (event.detail === 2) zoom(s.from, s.to);
            else
              choose(
                Array.from({ length: s.endStep - s.step }, (_, i) => s.step + i),
                event,
              );
          }}
          onSpan={span}
          onWheel={wheel}
          onKey={key}
        />
        <Legend
          items={[
            ...[...kDrawn, 'sync' as const].map((a) => [kActivityLabels[a], theme.activity[a]] as const),
            ...(path ? [['Critical path', theme.mark] as const] : []),
          ]}
        />
        {word !== '' && (
          <p>
            {integer(found.steps.length)} of {integer(run.endStep - run.firstStep)} executed steps have “{word}” in their name or kind
            {found.steps.length > 0 && (
              <>
                {'; they are framed. '}
                <button type="button" onClick={() => setSelected(found.steps)}>
                  Select them
                </button>
              </>
            )}
          </p>
        )}
        <p class="hint">
          Drag to zoom, Ctrl and wheel too; + − 0 and arrow keys; , and . select the step before and after. Click a step for its details, a
          name for all of its steps; with Shift, a click or a drag adds to what is selected; a double click on a name zooms to it. A row
          shows its busiest tile.
          {job && !job.done && <b> Tiles are still being read: until then a step counts as busy on all.</b>}
        </p>
      </Card>
      <StepsLeftOut profile={profile} run={run} at={route.params.at ?? ''} program={wantedProgram} />
      {step !== undefined && selected.length === 1 && <StepDetails profile={profile} step={step} route={route} />}
      {selected.length > 1 && <SelectedSteps profile={profile} selected={selected} />}
      {marked && <CriticalPath profile={profile} run={run} path={path} />}
      <RunCycles profile={profile} run={run} />
      <Blocks profile={profile} route={route} />
      <SlowSteps profile={profile} run={run} />
    </>
  );
}
