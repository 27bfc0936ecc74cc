// The program tree with search and folding, and what one step holds.
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { link, numberParam, type Route, setParams } from '../app/route';
import { number, text } from '../data/database';
import type { Profile } from '../data/profile';
import { bytes, integer } from '../derived/format';
import { variablesAt } from '../derived/liveness';
import { activityOf, categoryLabel, programLabel } from '../derived/names';
import { contextsOfPrograms, outwards } from '../derived/operations';
import { treeRows } from '../derived/tree';
import { currentTheme } from '../theme';
import { Card, Path } from './common';
import { Table } from './Table';

const kRow = 22;
const kHeight = 560;

function sumAndMost(values: Float64Array | null): string {
  if (!values) return '–';
  let sum = 0;
  let most = 0;
  for (const v of values) {
    sum += v;
    most = Math.max(most, v);
  }
  return `${bytes(sum)} over all tiles, ${bytes(most)} at most on one`;
}

function most(values: Float64Array | null): string {
  return values ? `${integer(values.reduce((a, b) => Math.max(a, b), 0))} cycles on the slowest tile, for one execution` : '–';
}

/** Cycles of the slowest IPU over the recorded executions of a program. */
function cyclesOf(profile: Profile, id: number): number {
  const { steps } = profile;
  let sum = 0;
  for (let s = 0; s < steps.count; ++s) {
    if (steps.program[s] !== id) continue;
    let longest = NaN;
    for (let i = 0; i < steps.ipus; ++i) {
      const cycles = steps.cycles[s * steps.ipus + i] ?? NaN;
      if (!Number.isNaN(cycles) && !(cycles <= longest)) longest = cycles;
    }
    sum += longest;
  }
  return sum;
}

function Details({ profile, id }: { readonly profile: Profile; readonly id: number }): JSX.Element {
  const program = profile.programs[id];
  const live = useMemo(() => (program?.livenessPoint ? variablesAt(profile, id, false) : []), [profile, id, program]);
  const vertices = useMemo(
    () =>
      program?.computeSet === null || program === undefined
        ? []
        : profile.db.query(
            'SELECT t.name, v.instances FROM compute_set_vertices v JOIN vertex_types t ON t.id = v.vertex_type WHERE v.compute_set = ? ORDER BY v.instances DESC',
            [program.computeSet],
          ),
    [profile, program],
  );
  const executed = useMemo(() => profile.steps.program.reduce((count, p) => count + (p === id ? 1 : 0), 0), [profile, id]);
  const context = useMemo(() => profile.debug?.get(contextsOfPrograms(profile)[id] ?? 0), [profile, profile.debug, id]);
  const cycles = useMemo(() => cyclesOf(profile, id), [profile, id]);
  if (!program)
    return (
      <Card title="No such step">
        <p class="empty">The profile has steps 0 to {profile.programs.length - 1}.</p>
      </Card>
    );
  const exchange = activityOf(program.type) !== 'compute';
  return (
    <Card
      title={`Step ${id}: ${programLabel(program)}`}
      aside={
        <div class="controls">
          {executed > 0 && <a href={link('execution', { step: id })}>When it ran</a>}
          {program.livenessPoint && <a href={link('liveness', { step: id })}>What lives there</a>}
        </div>
      }
    >
      <dl>
        <dt>Kind</dt>
        <dd>
          {program.type}
          {program.isFunction ? ', body of a function' : ''}
          {program.count > 0 ? `, ${integer(program.count)} times` : ''}
        </dd>
        <dt>Path</dt>
        <dd>
          <Path profile={profile} id={id} />
        </dd>
        {context && (
          <>
            <dt>Made in</dt>
            <dd>
              <a href={link('operations', { context: context.id })}>{context.name || context.layer}</a>{' '}
              <span class="id">{context.layer}</span>
            </dd>
          </>
        )}
        {context && context.file !== '' && (
          <>
            <dt>Source</dt>
            <dd>
              {context.file}:{context.line}
              {context.functionName !== '' && `, in ${context.functionName}`}
            </dd>
          </>
        )}
        <dt>Executed</dt>
        <dd>
          {integer(executed)} times in the recorded runs
          {executed > 0 && Number.isFinite(cycles) ? `, ${integer(cycles)} cycles of the slowest tile in all` : ''}
        </dd>
        <dt>Estimated</dt>
        <dd>{most(profile.programTiles(id, 'estimated_cycles'))}</dd>
        <dt>Control code</dt>
        <dd>{bytes(program.controlCode)} on every tile, steps inside of it included</dd>
        {exchange && (
          <>
            <dt>Sent</dt>
            <dd>{sumAndMost(profile.programTiles(id, 'bytes_sent'))}</dd>
          </>
        )}
        {exchange && (
          <>
            <dt>Received</dt>
            <dd>{sumAndMost(profile.programTiles(id, 'bytes_received'))}</dd>
          </>
        )}
        <dt>Exchange code</dt>
        <dd>{sumAndMost(profile.programTiles(id, 'exchange_code'))}</dd>
      </dl>
      {vertices.length > 0 && (
        <>
          <h3>Vertices</h3>
          <Table
            label="Vertices of the step"
            rows={vertices}
            columns={[
              { title: 'Vertex type', value: (r) => text(r.name) },
              { title: 'Vertices', value: (r) => number(r.instances) },
            ]}
          />
        </>
      )}
      {live.length > 0 && (
        <>
          <h3>Live here and not always</h3>
          <Table
            label="Live variables"
            rows={live}
            height={260}
            columns={[
              { title: 'Variable', value: (v) => v.name, show: (v) => <a href={link('liveness', { variable: v.id })}>{v.name}</a> },
              { title: 'Bytes', unit: 'B', value: (v) => v.bytes },
              { title: 'Category', value: (v) => categoryLabel(v.category) },
            ]}
          />
        </>
      )}
    </Card>
  );
}

export function ProgramTree({ profile, route }: { readonly profile: Profile; readonly route: Route }): JSX.Element {
  const step = Math.round(numberParam(route, 'step', 0, 0, Math.max(0, profile.programs.length - 1)));
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const word = route.params.find ?? '';
  const rows = useMemo(() => treeRows(profile, folded, word), [profile, folded, word]);
  const [top, setTop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const theme = currentTheme();
  useEffect(() => {
    const index = rows.findIndex((r) => r.id === step);
    const element = box.current;
    if (!element || index < 0) return;
    const y = index * kRow;
    if (y < element.scrollTop || y > element.scrollTop + kHeight - kRow) element.scrollTop = Math.max(0, y - kHeight / 3);
  }, [step, rows]);
  const inside = useMemo(() => {
    const wanted = Number(route.params.context || NaN);
    const { debug } = profile;
    if (!debug || !debug.has(wanted)) return null;
    const marked = new Set<number>();
    contextsOfPrograms(profile).forEach((context, id) => outwards(debug, context).some((c) => c.id === wanted) && marked.add(id));
    return marked;
  }, [profile, profile.debug, route.params.context]);
  const toggle = (id: number) =>
    setFolded((old) => {
      const next = new Set(old);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const key = (event: KeyboardEvent) => {
    const index = rows.findIndex((r) => r.id === step);
    const row = rows[index];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const next = rows[Math.min(rows.length - 1, Math.max(0, index + (event.key === 'ArrowDown' ? 1 : -1)))];
      if (next) setParams({ step: next.id });
    } else if (row && ((event.key === 'ArrowLeft' && row.open) || (event.key === 'ArrowRight' && !row.open)) && row.children > 0)
      toggle(row.id);
    else return;
    event.preventDefault();
  };
  const first = Math.max(0, Math.floor(top / kRow) - 5);
  const last = Math.min(rows.length, first + Math.ceil(kHeight / kRow) + 10);
  return (
    <div class="columns">
      <Card
        title="Program"
        aside={
          <>
            {inside && (
              <button type="button" onClick={() => setParams({ context: '' })}>
                {integer(inside.size)} steps of an operation marked: clear
              </button>
            )}
            <input
              type="search"
              placeholder="Find a step"
              aria-label="Find a step"
              value={word}
              onInput={(e) => setParams({ find: e.currentTarget.value })}
            />
          </>
        }
      >
        <div
          class="tree"
          role="tree"
          aria-label="Program"
          tabIndex={0}
          ref={box}
          style={{ height: `${Math.min(kHeight, Math.max(kRow * 3, rows.length * kRow + 8))}px` }}
          onScroll={(e) => setTop(e.currentTarget.scrollTop)}
          onKeyDown={key}
        >
          <div style={{ height: `${rows.length * kRow}px`, position: 'relative' }}>
            {rows.slice(first, last).map((row, i) => {
              const program = profile.programs[row.id];
              return (
                <div
                  key={row.id}
                  role="treeitem"
                  aria-level={row.depth + 1}
                  aria-selected={row.id === step}
                  aria-expanded={row.children > 0 ? row.open : undefined}
                  class={`node${row.id === step ? ' selected' : ''}${row.match ? ' match' : ''}${inside?.has(row.id) ? ' marked' : ''}`}
                  style={{ top: `${(first + i) * kRow}px`, paddingLeft: `${8 + row.depth * 16}px` }}
                  onClick={() => setParams({ step: row.id })}
                >
                  <span
                    class="fold"
                    onClick={(e) => {
                      if (row.children > 0) {
                        e.stopPropagation();
                        toggle(row.id);
                      }
                    }}
                  >
                    {row.children > 0 ? (row.open ? '▾' : '▸') : ''}
                  </span>
                  <span class="swatch" style={{ background: theme.activity[activityOf(program?.type ?? '')] }} />
                  <span class="id">{row.id}</span> {programLabel(program)}{' '}
                  {program?.name !== '' && <span class="kind">{program?.type}</span>}
                </div>
              );
            })}
          </div>
        </div>
        {rows.length === 0 && <p class="empty">No step has “{word}” in its name or kind.</p>}
        <p class="hint">Arrow keys walk and fold. Colours: what kind of time a step takes, as in the view Execution.</p>
      </Card>
      <Details profile={profile} id={step} />
    </div>
  );
}
