// The program tree with search and folding, and the details of one step.
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { numberParam, type Route, setParams } from '../../app/route';
import type { Profile } from '../../data/profile';
import { counted, integer, middle } from '../../derived/format';
import { programLabel } from '../../derived/names';
import { contextsOfPrograms, outwards } from '../../derived/operations';
import { foldable, treeRows } from '../../derived/tree';
import { Card, Choice } from '../common';
import { KindIcon } from '../KindIcon';
import { textScale } from '../textScale';
import { ComputeSets } from './Operands';
import { ProgramDetails } from './ProgramDetails';

/** Returns the label of a root: a control program of the engine, or a function that control programs call. */
function rootLabel(profile: Profile, id: number): string {
  const program = profile.programs[id];
  return `${id} ${programLabel(program)}${program?.isFunction ? ' (function)' : ''}`;
}

const kMaxLabel = 60; // letters
const kRow = 22; // pixels per row at the usual text size
const kHeight = 560;
const kMaxPrinted = 200; // maximum rows of a printed tree

export function ProgramTree({ profile, route }: { readonly profile: Profile; readonly route: Route }): JSX.Element {
  const step = Math.round(numberParam(route, 'step', 0, 0, Math.max(0, profile.programs.length - 1)));
  const line = kRow * textScale();
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set());
  const word = route.params.find ?? '';
  const root = profile.roots.find((id) => String(id) === route.params.root);
  const rows = useMemo(() => treeRows(profile, folded, word, root === undefined ? profile.roots : [root]), [profile, folded, word, root]);
  const [top, setTop] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const index = rows.findIndex((r) => r.id === step);
    const element = box.current;
    if (!element || index < 0) return;
    const y = index * line;
    if (y < element.scrollTop || y > element.scrollTop + kHeight - line) element.scrollTop = Math.max(0, y - kHeight / 3);
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
    if (event.key === '+') setFolded(new Set());
    else if (event.key === '-') setFolded(foldable(profile));
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const next = rows[Math.min(rows.length - 1, Math.max(0, index + (event.key === 'ArrowDown' ? 1 : -1)))];
      if (next) setParams({ step: next.id });
    } else if (row && ((event.key === 'ArrowLeft' && row.open) || (event.key === 'ArrowRight' && !row.open)) && row.children > 0)
      toggle(row.id);
    else return;
    event.preventDefault();
  };
  const printing = matchMedia('print').matches;
  const first = printing ? 0 : Math.max(0, Math.floor(top / line) - 5);
  const last = Math.min(rows.length, printing ? kMaxPrinted : first + Math.ceil(kHeight / line) + 10);
  const whole = (printing ? last : rows.length) * line;
  return (
    <div class="columns">
      <div>
        <Card
          title="Program"
          aside={
            <div class="controls">
              {profile.roots.length > 1 && (
                <Choice
                  label="Of"
                  value={root === undefined ? '' : String(root)}
                  options={[['', 'all'], ...profile.roots.map((id) => [String(id), rootLabel(profile, id)] as const)]}
                  onChange={(v) => setParams({ root: v })}
                />
              )}
              <button type="button" onClick={() => setFolded(new Set())}>
                Unfold all
              </button>
              <button type="button" onClick={() => setFolded(foldable(profile))}>
                Fold all
              </button>
              {inside && (
                <button type="button" onClick={() => setParams({ context: '' })}>
                  {counted(inside.size, 'step')} of an operation marked: clear
                </button>
              )}
              <input
                type="search"
                placeholder="Find a step"
                aria-label="Find a step"
                value={word}
                onInput={(e) => setParams({ find: e.currentTarget.value })}
              />
            </div>
          }
        >
          <div
            class="tree"
            role="tree"
            aria-label="Program"
            tabIndex={0}
            ref={box}
            style={{ height: `${Math.min(printing ? Infinity : kHeight, Math.max(line * 3, whole + 8))}px` }}
            onScroll={(e) => setTop(e.currentTarget.scrollTop)}
            onKeyDown={key}
          >
            <div style={{ height: `${whole}px`, position: 'relative' }}>
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
                    style={{ top: `${(first + i) * line}px`, paddingLeft: `${8 + row.depth * 16}px` }}
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
                    <KindIcon type={program?.type ?? ''} />
                    <span class="id">{row.id}</span> <bdi title={program?.name}>{middle(programLabel(program), kMaxLabel)}</bdi>{' '}
                    {program?.name !== '' && <span class="kind">{program?.type}</span>}
                  </div>
                );
              })}
            </div>
          </div>
          {printing && last < rows.length && (
            <p class="printed">
              {integer(last)} of {integer(rows.length)} steps are printed.
            </p>
          )}
          {rows.length === 0 && <p class="empty">No step has “{word}” in its name or kind.</p>}
          <p class="hint">
            Arrow keys move and fold; + unfolds all, − folds all. Colours show the kind of time that a step takes, as in Execution.
          </p>
        </Card>
        <ComputeSets profile={profile} />
      </div>
      <ProgramDetails profile={profile} id={step} route={route} />
    </div>
  );
}
