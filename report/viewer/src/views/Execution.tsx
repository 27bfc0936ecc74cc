// The chart of bulk-synchronous execution: tiles down, cycles across, at any zoom; below it the steps as nested names.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { numberParam, type Route, setParams } from '../app/route';
import type { Profile, Run } from '../data/profile';
import { Scale } from '../draw/axes';
import { chartBox, drawChart, drawFlame, kLevel } from '../draw/bsp';
import { criticalPath } from '../derived/critical';
import { flame, kChartRows, kDrawn, poolJob } from '../derived/bsp';
import { duration, integer, percent } from '../derived/format';
import { kActivityLabels, programLabel } from '../derived/names';
import { currentTheme } from '../theme';
import { Card, Choice, Legend } from './common';
import { CriticalPath } from './Critical';
import { Picture, type Point } from './Picture';
import { useJob } from './useJob';
import { Blocks, RunCycles, RunStrip } from './Runs';
import { SlowSteps, StepDetails } from './StepDetails';

/** Tile-steps up to which the critical path is found unasked: some 0.1 s. */
const kSmall = 2_000_000;

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
  const end = useMemo(() => {
    if (!run) return 1;
    let last = 1;
    for (let s = run.firstStep; s < run.endStep; ++s) last = Math.max(last, profile.steps.to[s * profile.steps.ipus + ipu] || 0);
    return last;
  }, [profile, run, ipu]);
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
  const picked = numberParam(route, 'at', -1, -1, profile.steps.count - 1);
  const setPicked = (step: number | null) => setParams({ at: step ?? '' });
  const wantedProgram = route.params.step !== undefined ? Number(route.params.step) : NaN;
  const theme = currentTheme();
  if (!run || !pooled || run.endStep === run.firstStep) {
    return (
      <>
        <Card title="Execution">
          <p class="empty">
            No execution was recorded. An IPU Model always records one; an IPU does with the engine option debug.instrument.
          </p>
        </Card>
        <Blocks profile={profile} route={route} />
      </>
    );
  }
  const firstOf = (program: number) => {
    for (let s = run.firstStep; s < run.endStep; ++s) if (profile.steps.program[s] === program) return s;
    return null;
  };
  const step = picked >= run.firstStep && picked < run.endStep ? picked : Number.isFinite(wantedProgram) ? firstOf(wantedProgram) : null;
  const selected = step === null ? -1 : (profile.steps.program[step] ?? -1);
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
  const key = (event: KeyboardEvent) => {
    const length = to - from;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => from > 0 && zoom(Math.max(0, from - length / 4), Math.max(length, to - length / 4)),
      ArrowRight: () => to < end && zoom(Math.min(end - length, from + length / 4), Math.min(end, to + length / 4)),
      '+': () => zoom(from + length / 8, to - length / 8),
      '-': () => zoom(from - length / 6, to + length / 6),
      '0': () => setParams({ from: '', to: '' }),
    };
    const action = moves[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  };
  const span = (a: Point, b: Point, w: number) => zoom(cycleAt(a, w), cycleAt(b, w));
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
          <div class="controls">
            {runs.length > 1 && (
              <Choice
                label="Run"
                value={String(run.id)}
                options={runs.map((r) => [String(r.id), `${Number.isFinite(r.number) ? r.number : r.id} (program ${r.program})`] as const)}
                onChange={(v) => setParams({ run: v, from: '', to: '' })}
              />
            )}
            {profile.ipus > 1 && (
              <Choice
                label="IPU"
                value={everywhere ? 'all' : String(ipu)}
                options={[...Array.from({ length: profile.ipus }, (_, i) => [String(i), String(i)] as const), ['all', 'all']]}
                onChange={(v) => setParams({ ipu: v })}
              />
            )}
            <Choice
              label="Names"
              value={flat ? 'flat' : 'nested'}
              options={[
                ['nested', 'nested'],
                ['flat', 'flat'],
              ]}
              onChange={(v) => setParams({ names: v })}
            />
            <Choice
              label="Critical path"
              value={marked ? 'yes' : 'no'}
              options={[
                ['yes', 'marked'],
                ['no', 'not marked'],
              ]}
              onChange={(v) => setParams({ critical: v })}
            />
            {(from > 0 || to < end) && (
              <button type="button" onClick={() => setParams({ from: '', to: '' })}>
                Whole run
              </button>
            )}
          </div>
        }
      >
        <RunStrip profile={profile} run={run} />
        <Picture
          title={`Execution of run ${run.id} on ${everywhere ? 'all IPUs' : `IPU ${ipu}`}`}
          height={kChartRows}
          draw={(surface, w, h, t) => drawChart(surface, profile, pooled, path ?? [], window, w, h, t)}
          tip={(p, w) => {
            const s = stepAt(cycleAt(p, w));
            return s === null ? null : describe(s);
          }}
          onPick={(p, w) => setPicked(stepAt(cycleAt(p, w)))}
          onSpan={span}
          onWheel={wheel}
          onKey={key}
        />
        <Picture
          title={`Steps of run ${run.id} by name`}
          height={10 + depth * kLevel}
          draw={(surface, w, _h, t) => drawFlame(surface, profile, spans, window, selected, w, t)}
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
            setPicked(s.step);
            if (event.shiftKey) zoom(s.from, s.to);
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
        <p class="hint">
          Drag to zoom, Ctrl and wheel too; + − 0 and arrow keys; click a step for its details, Shift and click a name to zoom to it. A row
          shows its busiest tile.{job && !job.done && <b> Tiles are still being read: until then a step counts as busy on all.</b>}
        </p>
      </Card>
      {step !== null && <StepDetails profile={profile} step={step} route={route} />}
      {marked && <CriticalPath profile={profile} run={run} path={path} />}
      <RunCycles profile={profile} run={run} />
      <Blocks profile={profile} route={route} />
      <SlowSteps profile={profile} run={run} />
    </>
  );
}
