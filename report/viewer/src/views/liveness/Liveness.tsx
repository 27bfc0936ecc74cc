// Live bytes over the steps of the program, the variables live at a step, the changes between two steps, and the life of one variable.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { numberParam, type Route, setParams } from '../../app/route';
import type { Profile, Program, Variable } from '../../data/profile';
import { falseLive } from '../../data/extras';
import { barScales, drawStackedBars, type StackedBars } from '../../draw/bars';
import { bytes, counted, integer, shortBytes } from '../../derived/format';
import { difference, groupByName, variablesAt, variablesOn } from '../../derived/liveness';
import { liveSeries } from './liveSeries';
import { atStep, programLabel } from '../../derived/names';
import { collectPeak } from '../../derived/verdict';
import { currentTheme } from '../../theme';
import { Card, Choice, fillOf, Legend, ProgramLink } from '../common';
import { Picture } from '../Picture';
import { Table } from '../Table';
import { VariableLife } from './VariableLife';
import { groupColumns, VariableLink } from '../Variables';

/** Returns "Live at step 5 on tile 0: train", or for a loop "Live between the iterations of train on tile 0 (step 5)". */
function liveTitle(program: Program | undefined, step: number, there: string): string {
  const [where, label] = [atStep(program), programLabel(program)];
  return where === 'at' ? `Live at step ${step}${there}: ${label}` : `Live ${where} ${label}${there} (step ${step})`;
}

export function Liveness({ profile, route }: { readonly profile: Profile; readonly route: Route }): JSX.Element {
  const theme = currentTheme();
  const source = route.params.tile ?? '';
  const ipu = /^\d+$/.test(route.params.ipu ?? '') && Number(route.params.ipu) < profile.ipus ? Number(route.params.ipu) : null;
  const tile = /^\d+$/.test(source) && Number(source) < profile.tiles ? Number(source) : null;
  const always = route.params.always !== 'no';
  const points = profile.livenessSteps;
  const series = useMemo(() => liveSeries(profile, { tile, ipu, always }, theme), [profile, tile, ipu, always, theme]);
  const peak = collectPeak(profile);
  const step = Math.round(numberParam(route, 'step', peak?.program ?? 0, 0, Math.max(0, profile.programs.length - 1)));
  const versus =
    route.params.vs !== undefined && route.params.vs !== ''
      ? Math.round(numberParam(route, 'vs', 0, 0, profile.programs.length - 1))
      : null;
  const indexOf = (program: number) => points.findIndex((p) => p.program === program);
  const [from, to] = [Number(route.params.from || 0), Number(route.params.to || points.length)];
  const shown: [number, number] = from >= 0 && to <= points.length && from < to ? [from, to] : [0, points.length];
  const word = (route.params.find ?? '').trim().toLowerCase();
  const found = useMemo(
    () =>
      word === '' ? [] : points.flatMap((p, i) => (programLabel(profile.programs[p.program]).toLowerCase().includes(word) ? [i] : [])),
    [points, profile, word],
  );
  const data: StackedBars = {
    series,
    from: shown[0],
    to: shown[1],
    marks: [...found, indexOf(step), ...(versus === null ? [] : [indexOf(versus)])].filter((i) => i >= 0),
    x: {
      label: 'step (in order of compilation)',
      items: true,
      format: (v) =>
        points
          .slice(Math.floor(v), Math.floor(v) + 1)
          .map((p) => integer(p.program))
          .join(),
    },
    y: { label: 'live bytes', format: shortBytes, binary: true },
  };
  /** The tiles in the picture; null: all tiles. */
  const place = useMemo((): readonly [number, number] | null => {
    const perIpu = profile.tiles / profile.ipus;
    return tile !== null ? [tile, tile + 1] : ipu !== null ? [ipu * perIpu, (ipu + 1) * perIpu] : null;
  }, [profile, tile, ipu]);
  const there = place === null ? '' : tile !== null ? ` on tile ${tile}` : ` on IPU ${ipu}`;
  const onPlace = (variables: readonly Variable[], at = step) => (place ? variablesOn(profile, variables, at, ...place) : variables);
  const live = useMemo(() => onPlace(variablesAt(profile, step, always)), [profile, step, always, place]);
  const nothing = useMemo(
    () =>
      falseLive(profile).filter((f) => f.from <= step && step < f.end && (always || !(profile.variables[f.variable]?.alwaysLive ?? false))),
    [profile, step, always],
  );
  const groups = useMemo(() => groupByName(live), [live]);
  const total = live.reduce((sum, v) => sum + v.bytes, 0);
  const variable = profile.variables[Number(route.params.variable || NaN)];
  const changes = useMemo(() => (versus === null ? [] : difference(profile, versus, step)), [profile, versus, step]);
  const changed = (change: 'born' | 'died') =>
    onPlace(
      changes.filter((d) => d.change === change).map((d) => d.variable),
      change === 'died' && versus !== null ? versus : step,
    );
  if (points.length === 0)
    return (
      <Card title="Liveness">
        <p class="empty">
          This profile has no liveness of programs. autoReport.all records it; autoReport.outputExecutionProfile alone does not.
        </p>
      </Card>
    );
  return (
    <>
      <Card
        title="Live bytes over the program"
        aside={
          <div class="controls">
            <Choice
              label="Always live"
              value={always ? 'yes' : 'no'}
              options={[
                ['yes', 'shown'],
                ['no', 'left out'],
              ]}
              onChange={(v) => setParams({ always: v })}
            />
            {profile.ipus > 1 && (
              <Choice
                label="IPU"
                value={ipu === null ? '' : String(ipu)}
                options={[['', 'all'], ...Array.from({ length: profile.ipus }, (_, i) => [String(i), String(i)] as const)]}
                onChange={(v) => setParams({ ipu: v, tile: '' })}
              />
            )}
            <label class="choice">
              Step
              <input
                type="search"
                size={12}
                placeholder="name"
                aria-label="Find a step by name"
                value={route.params.find ?? ''}
                onInput={(e) => setParams({ find: e.currentTarget.value })}
              />
            </label>
            {profile.hasAllocations && (
              <label class="choice">
                Tile
                <input type="text" size={6} placeholder="all" value={source} onChange={(e) => setParams({ tile: e.currentTarget.value })} />
              </label>
            )}
            {(shown[0] > 0 || shown[1] < points.length) && (
              <button type="button" onClick={() => setParams({ from: '', to: '' })}>
                Show all steps
              </button>
            )}
          </div>
        }
      >
        <Picture
          title={
            tile === null
              ? ipu === null
                ? 'Live bytes over steps'
                : `Live bytes of IPU ${ipu} over steps`
              : `Live bytes of tile ${tile} over steps`
          }
          height={300}
          draw={(surface, w, h, t) => drawStackedBars(surface, data, w, h, t)}
          tip={(p, w, h) => {
            const i = Math.floor(barScales(data, w, h).x.value(p.x));
            const point = i >= shown[0] && i < shown[1] ? points[i] : undefined;
            if (!point) return null;
            return (
              <>
                <b>
                  Step {point.program}: {programLabel(profile.programs[point.program])}
                </b>
                {series.map((s) => (
                  <div key={s.label}>
                    {s.label}: {bytes(s.values[i] ?? 0)}
                  </div>
                ))}
              </>
            );
          }}
          onPick={(p, w, h, event) => {
            const point = points[Math.floor(barScales(data, w, h).x.value(p.x))];
            if (point) setParams(event.shiftKey ? { vs: point.program } : { step: point.program });
          }}
          onSpan={(a, b, w, h) => {
            const x = barScales(data, w, h).x;
            setParams({
              from: Math.max(shown[0], Math.floor(x.value(Math.min(a.x, b.x)))),
              to: Math.min(shown[1], Math.ceil(x.value(Math.max(a.x, b.x)))),
            });
          }}
          onKey={(event) => {
            const move = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
            const next = points[indexOf(step) + move];
            if (event.key === '0') setParams({ from: '', to: '' });
            else if (event.key === '+' || event.key === '-') {
              const half = ((shown[1] - shown[0]) * (event.key === '+' ? 0.8 : 1.25)) / 2;
              const middle = Math.max(half, indexOf(step));
              setParams({ from: Math.max(0, Math.floor(middle - half)), to: Math.min(points.length, Math.ceil(middle + half)) });
            } else if (move !== 0 && next) setParams(event.shiftKey ? { vs: step, step: next.program } : { step: next.program });
            else return;
            event.preventDefault();
          }}
        />
        {word !== '' && (
          <p>
            {counted(found.length, 'step')} with “{route.params.find}” in the name
            {found.length > 0 && ': '}
            {found.slice(0, 12).map((i) => (
              <span key={i}>
                <ProgramLink profile={profile} id={points[i]?.program ?? 0} view="liveness" />{' '}
              </span>
            ))}
          </p>
        )}
        <Legend items={series.map((s) => [s.label, fillOf(s)] as const)} />
        <p class="hint">
          Click a step to see its live variables, and click a second step with Shift to compare. Drag to zoom; arrow keys choose the next
          step, + − 0 zoom.
        </p>
      </Card>
      {variable && <VariableLife profile={profile} variable={variable} route={route} />}
      {versus !== null && (
        <Card
          title={`From step ${versus} to step ${step}${there}`}
          aside={
            <button type="button" onClick={() => setParams({ vs: '' })}>
              Close
            </button>
          }
        >
          {(['born', 'died'] as const).map((change) => (
            <>
              <h3>
                {change === 'born' ? `Live at step ${step} but not at step ${versus}` : `Live at step ${versus} but not at step ${step}`}
              </h3>
              <Table label={change} rows={groupByName(changed(change))} empty="None." columns={groupColumns(0)} />
            </>
          ))}
        </Card>
      )}
      <Card title={liveTitle(profile.programs[step], step, there)} aside={<ProgramLink profile={profile} id={step} />}>
        <p>
          {bytes(total)} in {counted(live.length, 'variable')}
          {always ? ', including always-live variables' : ''}.
        </p>
        {nothing.length > 0 && (
          <p class="bad">
            False-live{place === null ? '' : ', over all tiles'}: no path reads {bytes(nothing.reduce((sum, f) => sum + f.bytes, 0))} of{' '}
            {nothing.slice(0, 6).map((f) => (
              <span key={f.variable}>
                <VariableLink name={profile.variables[f.variable]?.name ?? ''} id={f.variable} step={step} /> ({bytes(f.bytes)}){' '}
              </span>
            ))}
          </p>
        )}
        <Table label="Live variables" rows={groups} columns={groupColumns(total)} />
      </Card>
    </>
  );
}
