// The chart of bulk-synchronous execution at any zoom: tiles on the vertical axis, cycles on the horizontal axis. Below the chart are the
// steps as nested names.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { numberParam, type Route, setParams } from '../../app/route';
import type { Profile, Run } from '../../data/profile';
import { endOfRun, kDrawn } from '../../derived/bsp';
import { criticalPath } from '../../derived/critical';
import { integer, parseRanges, rangeList } from '../../derived/format';
import { kNestings } from '../../derived/flame';
import { kActivityLabels } from '../../derived/names';
import { poolJob } from '../../derived/pool';
import { lengthText, lineOfRun, longestRun, runOfProgram, whyNoRun } from '../../derived/recorded';
import { stepsWithoutTime, whyNoTime } from '../../derived/times';
import { kNoneFound, stepsNamed, stepsWithin } from '../../derived/selection';
import { kTileOrders, orderTiles } from './tileOrder';
import { toggleSteps } from './toggle';
import { parsePositions, type Window } from '../../derived/window';
import { currentTheme } from '../../theme';
import { Card, Legend } from '../common';
import { useJob } from '../useJob';
import { CriticalPath } from './Critical';
import { ExecutionControls } from './ExecutionControls';
import { HostSpans } from './HostSpans';
import { RunChart } from './RunChart';
import { Blocks, nameOfRun, RunCycles, RunStrip } from './Runs';
import { SelectedSteps, StepsLeftOut } from './SelectedSteps';
import { SlowSteps, StepDetails } from './StepDetails';
import { ClickedTile, TilesOfRun } from './TilesOfRun';

/** Maximum number of tiles times steps for which the page computes the critical path without a request (about 0.1 s). */
const kSmall = 2_000_000;

/** Maximum number of tiles for which the page shows all IPUs without a request. */
const kManyTiles = 6_000;

/** Returns the steps that the fragment selects: executed steps of the run ("at"), or else the first execution of a program ("step"). */
function selectedSteps(profile: Profile, run: Run, at: string, program: number): readonly number[] {
  const chosen = (parseRanges(at, run.endStep) ?? []).filter((s) => s >= run.firstStep);
  if (chosen.length > 0) return chosen;
  for (let s = run.firstStep; s < run.endStep; ++s) if (profile.steps.program[s] === program) return [s];
  return [];
}

function setSelected(steps: readonly number[]): void {
  setParams({ at: rangeList(steps), ...(steps.length === 0 ? { step: '' } : {}) });
}

const kNone: readonly number[] = [];

/** Returns a handler that opens a run on a click, if the run is shown next to another run. */
const goTo = (run: Run) => (steps: readonly number[]) => setParams({ run: run.id, beside: '', at: rangeList(steps) }, 'each');

/** States how many steps of a run have no recorded time. */
function Untimed({ profile, run }: { readonly profile: Profile; readonly run: Run }): JSX.Element | null {
  const [steps, without] = [run.endStep - run.firstStep, stepsWithoutTime(profile, run)];
  if (without === 0) return null;
  return (
    <p class="empty" role="note">
      {without === steps
        ? 'The file has no time of any step of this run, so there is no picture of it. '
        : `The file has no time of ${integer(without)} of the ${integer(steps)} steps of this run. The picture lacks their work, and shows it as waiting. `}
      {whyNoTime(profile, run.id)}
    </p>
  );
}

export function Execution({ profile, route }: { readonly profile: Profile; readonly route: Route }): JSX.Element {
  const runs = profile.runs;
  const wanted = Number(route.params.run ?? NaN);
  const wantedProgram = /^\d+$/.test(route.params.step ?? '') ? Number(route.params.step) : -1;
  const run: Run | undefined = runs.find((r) => r.id === wanted) ?? runOfProgram(profile, wantedProgram) ?? longestRun(profile);
  // The late tile may be on any IPU, so the chart shows all IPUs if there are not too many tiles.
  const everywhere = route.params.ipu === 'all' || ((route.params.ipu ?? '') === '' && profile.ipus > 1 && profile.tiles <= kManyTiles);
  const ipu = everywhere ? 0 : Math.round(numberParam(route, 'ipu', 0, 0, profile.ipus - 1));
  const shown = everywhere ? null : ipu;
  const by = kTileOrders.find(([key]) => key === route.params.sort)?.[0] ?? 'number';
  const second = runs.find((r) => String(r.id) === route.params.beside && r !== run);
  const names = kNestings.find(([key]) => key === route.params.names)?.[0] ?? 'nested';
  const end = Math.max(...[run, second].map((r) => (r ? endOfRun(profile, r, shown) : 1)));
  const from = numberParam(route, 'from', 0, 0, end - 1);
  const to = numberParam(route, 'to', end, from + 1, end);
  const window: Window = [from, to];
  const job = run ? poolJob(profile, run, shown) : null;
  useJob(job);
  const small = run ? (run.endStep - run.firstStep) * profile.tiles <= kSmall : true;
  const marked = (route.params.critical ?? (small ? 'yes' : 'no')) === 'yes';
  const path = useMemo(() => (run && marked ? criticalPath(profile, run) : null), [profile, run, marked]);
  const selected = useMemo(
    () => (run ? selectedSteps(profile, run, route.params.at ?? '', wantedProgram) : []),
    [profile, run, route.params.at, wantedProgram],
  );
  const theme = currentTheme();
  const word = (route.params.find ?? '').trim();
  const found = useMemo(() => (run ? stepsNamed(profile, run, word) : kNoneFound), [profile, run, word]);
  if (!run || !job || run.endStep === run.firstStep) {
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
  const hasTimes = (of: Run): boolean => stepsWithoutTime(profile, of) < of.endStep - of.firstStep;
  const add = (event: MouseEvent) => event.shiftKey || event.ctrlKey || event.metaKey;
  const choose = (steps: readonly number[], event: MouseEvent | null) =>
    setSelected(event && add(event) ? toggleSteps(selected, steps) : steps);
  const order = orderTiles(profile, shown, job.tilesOfRun, by);
  const rows: Window = parsePositions(route.params.rows ?? '', order.length) ?? [0, order.length];
  const lane = /^\d+$/.test(route.params.lane ?? '') ? Number(route.params.lane) : -1;
  const cycle = /^\d+$/.test(route.params.cycle ?? '') ? Number(route.params.cycle) : -1;
  const chart = { profile, route, ipu: shown, window, rows, order: by, names };
  return (
    <>
      <Card
        title={lineOfRun(profile, run)}
        aside={
          <ExecutionControls
            profile={profile}
            run={run}
            ipu={shown}
            order={by}
            ordered={job.tilesOfRun !== null || !job.done}
            beside={second ?? null}
            names={names}
            marked={run.complete ? marked : null}
            zoomed={from > 0 || to < end || rows[1] - rows[0] < order.length}
            find={route.params.find ?? ''}
            onSelect={() => setSelected(stepsWithin(profile, run, shown, from, to))}
          />
        }
      >
        <RunStrip profile={profile} run={run} />
        <HostSpans profile={profile} run={run} window={window} />
        <Untimed profile={profile} run={run} />
        {hasTimes(run) && <RunChart {...chart} run={run} path={path ?? []} selected={selected} found={found.programs} onSelect={choose} />}
        {second && (
          <>
            <h3>
              For comparison: run {nameOfRun(second)} ({lengthText(profile, second)}), on the same scale
            </h3>
            <Untimed profile={profile} run={second} />
            {hasTimes(second) && (
              <RunChart {...chart} run={second} path={[]} selected={kNone} found={found.programs} onSelect={goTo(second)} second />
            )}
          </>
        )}
        {hasTimes(run) && (
          <Legend
            items={[
              ...[...kDrawn, 'sync' as const].map((a) => [kActivityLabels[a], theme.activity[a]] as const),
              ...(path ? [['Critical path', theme.path] as const] : []),
            ]}
          />
        )}
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
          Zoom: drag a box. Ctrl and wheel, a pinch, or + and − zoom the cycles; Shift and wheel, or PageUp and PageDown, zoom the tiles; 0
          shows all. Move: use the arrow keys, the touchpad, the wheel, or a drag with Alt or the middle button. The browser’s Back button
          undoes a zoom or a move. Select: click a step to see its details, or a name to select all its steps. With Shift, a click or a drag
          adds to the selection. A double click on a name zooms to it. The keys , and . select the previous and next step. A row of several
          tiles shows the busiest.
        </p>
      </Card>
      <StepsLeftOut profile={profile} run={run} at={route.params.at ?? ''} program={wantedProgram} />
      {lane >= 0 && lane < profile.tiles && cycle >= 0 && (
        <Card title="Clicked tile and cycle">
          <ClickedTile profile={profile} run={run} base={job} tile={lane} cycle={cycle} />
        </Card>
      )}
      {step !== undefined && selected.length === 1 && <StepDetails profile={profile} step={step} route={route} />}
      {selected.length > 1 && <SelectedSteps profile={profile} selected={selected} />}
      <div class="columns">
        <TilesOfRun job={job} run={run} order={order} />
        <RunCycles profile={profile} run={run} />
      </div>
      {marked && run.complete && <CriticalPath profile={profile} run={run} path={path} />}
      <Blocks profile={profile} route={route} />
      <SlowSteps profile={profile} run={run} />
    </>
  );
}
