// Live bytes over the steps of the program, what lives at a step, what changes between two, and the life of one variable.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, numberParam, type Route, setParams } from '../app/route';
import type { Profile } from '../data/profile';
import { barScales, drawStackedBars, type StackedBars } from '../draw/bars';
import { bytes, integer, percent, shortBytes } from '../derived/format';
import { difference, groupByName, occupiedBytes, type VariableGroup, variablesAt } from '../derived/liveness';
import { categoryLabel, programLabel } from '../derived/names';
import { collectPeak } from '../derived/verdict';
import { currentTheme } from '../theme';
import { Card, Choice, Legend, ProgramLink } from './common';
import { Picture } from './Picture';
import { Table } from './Table';
import { VariableLife } from './VariableLife';

const kGroupColumns = (total: number) => [
  {
    title: 'Variable',
    value: (g: VariableGroup) => g.first.name,
    show: (g: VariableGroup) => <a href={link('liveness', { variable: g.first.id })}>{g.first.name}</a>,
  },
  { title: 'Bytes', unit: 'B', value: (g: VariableGroup) => g.bytes },
  ...(total > 0 ? [{ title: 'Share', value: (g: VariableGroup) => g.bytes, show: (g: VariableGroup) => percent(g.bytes, total) }] : []),
  { title: 'Variables', value: (g: VariableGroup) => g.count, help: 'How many have this name: an exchange makes one message a sender' },
  { title: 'Category', value: (g: VariableGroup) => categoryLabel(g.first.category) },
];

export function Liveness({ profile, route }: { readonly profile: Profile; readonly route: Route }): JSX.Element {
  const theme = currentTheme();
  const source = route.params.tile ?? '';
  const tile = /^\d+$/.test(source) && Number(source) < profile.tiles ? Number(source) : null;
  const always = route.params.always !== 'no';
  const points = profile.livenessSteps;
  const series = useMemo(() => {
    const turn = new Float64Array(points.length);
    const fixed = new Float64Array(points.length);
    if (tile === null) {
      points.forEach((p, i) => {
        turn[i] = p.bytes;
        fixed[i] = profile.alwaysLiveBytes;
      });
    } else {
      const here = profile.allocations(tile);
      const occupied = occupiedBytes(
        profile,
        here.filter((a) => !a.alwaysLive),
      );
      const forever = here.filter((a) => a.alwaysLive).reduce((sum, a) => sum + a.bytes, 0);
      points.forEach((p, i) => {
        turn[i] = occupied[p.program] ?? 0;
        fixed[i] = forever;
      });
    }
    const lives = { label: 'Lives in turn', colour: theme.series[1] ?? theme.accent, values: turn };
    return always ? [{ label: 'Always live', colour: theme.series[0] ?? theme.accent, values: fixed }, lives] : [lives];
  }, [points, profile, tile, always, theme]);
  const peak = collectPeak(profile);
  const step = Math.round(numberParam(route, 'step', peak?.program ?? 0, 0, Math.max(0, profile.programs.length - 1)));
  const versus =
    route.params.vs !== undefined && route.params.vs !== ''
      ? Math.round(numberParam(route, 'vs', 0, 0, profile.programs.length - 1))
      : null;
  const indexOf = (program: number) => points.findIndex((p) => p.program === program);
  const [from, to] = [Number(route.params.from || 0), Number(route.params.to || points.length)];
  const shown: [number, number] = from >= 0 && to <= points.length && from < to ? [from, to] : [0, points.length];
  const data: StackedBars = {
    series,
    from: shown[0],
    to: shown[1],
    marks: [indexOf(step), ...(versus === null ? [] : [indexOf(versus)])].filter((i) => i >= 0),
    x: { label: 'step (in order of compilation)', format: (v) => integer(points[Math.floor(v)]?.program ?? NaN) },
    y: { label: 'live bytes', format: shortBytes, binary: true },
  };
  const live = useMemo(() => variablesAt(profile, step, always), [profile, step, always]);
  const groups = useMemo(() => groupByName(live), [live]);
  const total = live.reduce((sum, v) => sum + v.bytes, 0);
  const variable = profile.variables[Number(route.params.variable || NaN)];
  const changes = useMemo(() => (versus === null ? [] : difference(profile, versus, step)), [profile, versus, step]);
  if (points.length === 0)
    return (
      <Card title="Liveness">
        <p class="empty">
          This profile has no liveness of programs (autoReport.outputExecutionProfile writes none; autoReport.all has it).
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
            {profile.hasAllocations && (
              <label class="choice">
                Of tile
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
          title={tile === null ? 'Live bytes over steps' : `Live bytes of tile ${tile} over steps`}
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
            if (move !== 0 && next) {
              event.preventDefault();
              setParams({ step: next.program });
            }
          }}
        />
        <Legend items={series.map((s) => [s.label, s.colour] as const)} />
        <p class="hint">Click a step to see what lives there, with Shift a second one to compare; drag to zoom; arrow keys step.</p>
      </Card>
      {variable && <VariableLife profile={profile} variable={variable} />}
      {versus !== null && (
        <Card
          title={`From step ${versus} to step ${step}`}
          aside={
            <button type="button" onClick={() => setParams({ vs: '' })}>
              Close
            </button>
          }
        >
          {(['born', 'died'] as const).map((change) => (
            <>
              <h3>{change === 'born' ? `Live at ${step} and not at ${versus}` : `Live at ${versus} and not at ${step}`}</h3>
              <Table
                label={change}
                rows={groupByName(changes.filter((d) => d.change === change).map((d) => d.variable))}
                empty="None."
                columns={kGroupColumns(0)}
              />
            </>
          ))}
        </Card>
      )}
      <Card title={`Live at step ${step}: ${programLabel(profile.programs[step])}`} aside={<ProgramLink profile={profile} id={step} />}>
        <p>
          {bytes(total)} in {integer(live.length)} variables{always ? ', always-live ones included' : ''}.
        </p>
        <Table label="Live variables" rows={groups} columns={kGroupColumns(total)} />
      </Card>
    </>
  );
}
