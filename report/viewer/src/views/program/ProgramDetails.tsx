// The details of one step: what it holds, moves and keeps alive, and where it was created.
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { link, type Route } from '../../app/route';
import { number, text } from '../../data/database';
import { moreContexts } from '../../data/extras';
import type { Profile } from '../../data/profile';
import { type AccessGroup, accessesOf } from '../../derived/accesses';
import { bytes, counted, integer } from '../../derived/format';
import { groupByName, variablesAt } from '../../derived/liveness';
import { programLabel } from '../../derived/names';
import { contextsOfPrograms } from '../../derived/operations';
import { Card, Path, ProgramLink } from '../common';
import { controlFlow, executedText } from './executed';
import { OperandFields } from './Operands';
import { Table } from '../Table';
import { ProgramTiles } from '../TilePlot';
import { groupColumns, VariableLink } from '../Variables';

function sumAndMost(values: Float64Array): string {
  let sum = 0;
  let most = 0;
  for (const v of values) {
    sum += v;
    most = Math.max(most, v);
  }
  return `${bytes(sum)} over all tiles, ${bytes(most)} at most on one tile`;
}

const most = (values: Float64Array) =>
  `${integer(values.reduce((a, b) => Math.max(a, b), 0))} cycles on the slowest tile, for one execution`;

/** Figures of a step on tiles, if the file has them for this step. */
const kFacts = [
  ['estimated_cycles', 'Estimated', most],
  ['bytes_sent', 'Sent', sumAndMost],
  ['bytes_received', 'Received', sumAndMost],
  ['exchange_code', 'Exchange code', sumAndMost],
] as const;

const kMaxRuns = 12;

export function ProgramDetails({
  profile,
  id,
  route,
}: {
  readonly profile: Profile;
  readonly id: number;
  readonly route: Route;
}): JSX.Element {
  const program = profile.programs[id];
  const live = useMemo(() => (program?.livenessPoint ? groupByName(variablesAt(profile, id, false)) : []), [profile, id, program]);
  const accesses = useMemo(() => accessesOf(profile, id) ?? [], [profile, id]);
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
  const ran = useMemo(() => executedText(profile, id), [profile, id]);
  const context = useMemo(() => profile.debug?.get(contextsOfPrograms(profile)[id] ?? 0), [profile, profile.debug, id]);
  const merged = useMemo(
    () => moreContexts(profile, id).map((more) => profile.debug?.get(more) ?? { id: more, name: '', layer: '' }),
    [profile, profile.debug, id],
  );
  const flow = useMemo(() => controlFlow(profile, id), [profile, id]);
  if (!program)
    return (
      <Card title="No such step">
        <p class="empty">The profile has steps 0 to {profile.programs.length - 1}.</p>
      </Card>
    );
  const moreCode = profile.programTiles(id, 'control_code')?.reduce((sum, code) => sum + code, 0) ?? 0;
  return (
    <Card
      title={`Step ${id}: ${programLabel(program)}`}
      aside={
        <div class="controls">
          {executed > 0 && <a href={link('execution', { step: id })}>When it ran</a>}
          {program.livenessPoint && <a href={link('liveness', { step: id })}>What is live there</a>}
        </div>
      }
    >
      <dl>
        <dt>Kind</dt>
        <dd>
          {program.type}
          {program.isFunction ? ', body of a function' : ''}
          {program.count > 0 ? `, ${counted(program.count, 'time')}` : ''}
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
        {merged.length > 0 && (
          <>
            <dt>Merged with</dt>
            <dd>
              {merged.map((more) => (
                <div key={more.id}>
                  <a href={link('operations', { context: more.id })}>{more.name || more.layer || `context ${more.id}`}</a>
                </div>
              ))}
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
        <dd>{ran}</dd>
        {flow.length > 0 && (
          <>
            <dt>Last execution</dt>
            <dd>
              {flow.slice(0, kMaxRuns).map((line) => (
                <div key={line.run}>
                  run {line.run}: {line.did}
                  {line.branch !== null && (
                    <>
                      {' '}
                      <ProgramLink profile={profile} id={line.branch} />
                    </>
                  )}
                  , {integer(line.cycles)} cycles
                </div>
              ))}
              {flow.length > kMaxRuns && `and in ${counted(flow.length - kMaxRuns, 'more run')}`}
            </dd>
          </>
        )}
        <dt>Control code</dt>
        <dd>
          {bytes(program.controlCode)} on each tile{moreCode > 0 && ` and ${bytes(moreCode)} more on some tiles`}, including the steps
          inside it
        </dd>
        {kFacts.map(([column, title, show]) => {
          const values = profile.programTiles(id, column);
          return values ? (
            <>
              <dt key={column}>{title}</dt>
              <dd>{show(values)}</dd>
            </>
          ) : null;
        })}
      </dl>
      <ProgramTiles profile={profile} route={route} programs={[id]} />
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
          {program.computeSet !== null && <OperandFields profile={profile} computeSet={program.computeSet} />}
        </>
      )}
      {accesses.length > 0 && (
        <>
          <h3>Variables that it reads and writes</h3>
          <Table
            label="Variables that it reads and writes"
            rows={accesses}
            height={260}
            columns={[
              { title: 'Variable', value: (g) => g.first.name, show: (g) => <VariableLink name={g.first.name} id={g.first.id} /> },
              { title: 'Reads', unit: 'elements', value: (g) => g.read },
              { title: 'Writes', unit: 'elements', value: (g) => g.written },
              ...(accesses.some((g) => g.undefined > 0)
                ? [{ title: 'Undefines', unit: 'elements', value: (g: AccessGroup) => g.undefined }]
                : []),
              { title: 'Size', unit: 'B', value: (g) => g.bytes, help: 'Of all variables of this name' },
            ]}
          />
        </>
      )}
      {live.length > 0 && (
        <>
          <h3>Live here, but not always</h3>
          <Table label="Live variables" rows={live} height={260} columns={groupColumns(0)} />
        </>
      )}
    </Card>
  );
}
