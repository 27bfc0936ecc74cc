// Cards of the first view with remedies: what makes the program fit, what bounds its length, what is largest, and how much a better layout
// would save. All of them show answers of `popscope html`; a profile that the user drops on the page has no answers.
import type { JSX } from 'preact';
import { link } from '../../app/route';
import { type Answer, type AnswerTable as Answered, cellNumber, cellText } from '../../data/answers';
import type { Profile } from '../../data/profile';
import { bytes, integer, ranges, signed } from '../../derived/format';
import { AnswerTable } from './AnswerTable';
import { Card } from '../common';
import { Table } from '../Table';

/** Shows the sentences of an answer; a leading "!" marks an alarm. */
export function Sentences({ answer, most }: { readonly answer: Answer; readonly most?: number }): JSX.Element {
  return (
    <>
      {answer.lines.slice(0, most).map((line) => (
        <p key={line} class={line.startsWith('!') ? 'bad' : ''}>
          {line.replace(/^!/, '')}
        </p>
      ))}
    </>
  );
}

/** Returns the distinct answers, each with the tiles to which it applies, in the order of their first tiles. */
function sameAnswers(answers: readonly Answer[]): { readonly tiles: number[]; readonly oom: Answer }[] {
  const groups = new Map<string, { tiles: number[]; oom: Answer }>();
  for (const oom of answers) {
    const { mustGo, enoughAlone, spread } = oom.tables;
    const { bytesPastTheEnd, worstStep, liveAtWorst } = oom.facts;
    const key = JSON.stringify([bytesPastTheEnd, worstStep, liveAtWorst, mustGo?.rows, enoughAlone?.rows, spread?.rows]);
    const group = groups.get(key) ?? { tiles: [], oom };
    group.tiles.push(cellNumber(oom.facts.worstTile));
    groups.set(key, group);
  }
  return [...groups.values()];
}

const kMaxTileLinks = 8;

/**
 * Shows, for some tiles that do not fit, what must go from each tile, and which single cuts are enough. If no cut of variables is enough,
 * sentences say so, and a table has the variables that the sentences propose to map to more tiles.
 */
function MustGo({
  profile,
  tiles,
  oom,
}: {
  readonly profile: Profile;
  readonly tiles: readonly number[];
  readonly oom: Answer;
}): JSX.Element {
  const { mustGo, enoughAlone, spread } = oom.tables;
  const step = cellNumber(oom.facts.worstStep);
  const several = tiles.length > 1;
  const named = several ? `each of tiles ${ranges(tiles)}` : `tile ${tiles[0]}`;
  return (
    <>
      <h4>From {named}</h4>
      <p>
        {several ? 'Tiles' : 'Tile'}{' '}
        {tiles.slice(0, kMaxTileLinks).map((tile, i) => (
          <>
            {i > 0 && ', '}
            <a href={link('tile', { tile, step })}>{tile}</a>
          </>
        ))}
        {tiles.length > kMaxTileLinks && ` and ${integer(tiles.length - kMaxTileLinks)} more`} {several ? 'are each' : 'is'}{' '}
        {bytes(cellNumber(oom.facts.bytesPastTheEnd))} past the end; at step {step} {several ? 'each' : 'it'} has{' '}
        {bytes(cellNumber(oom.facts.liveAtWorst))}.
      </p>
      {!mustGo && (
        <>
          <Sentences answer={{ ...oom, lines: oom.lines.slice(2, -1) }} />
          {spread && <h4>{spread.title}</h4>}
          <AnswerTable profile={profile} table={spread} names="variables" />
        </>
      )}
      <AnswerTable profile={profile} table={mustGo} names="variables" />
      {enoughAlone && <h4>Each of these alone is enough on {named}</h4>}
      <AnswerTable
        profile={profile}
        table={enoughAlone && { ...enoughAlone, title: `${enoughAlone.title} on ${named}` }}
        names="variables"
      />
    </>
  );
}

const kTry = `POPLAR_ENGINE_OPTIONS='{"autoReport.all":"true","popscope.tryAdvice":"64"}' PROGRAM`;

/** Shows how to make a program fit: changes that were compiled, or else the minimum that must go. */
export function CureCard({ profile }: { readonly profile: Profile }): JSX.Element | null {
  const { fit, oom, advise } = profile.answers?.views ?? {};
  const late = profile.outOfMemoryTiles.length > 0;
  if (!fit && !(late && oom)) return null;
  const changes = fit?.tables.changes;
  const alone = advise?.tables.changes;
  const unsaid = profile.outOfMemoryTiles.length - (profile.answers?.oomOfTiles.length ?? 0);
  return (
    <Card title={late ? 'What makes it fit' : 'Changes that were tried'}>
      {fit && (
        <>
          <Sentences answer={fit} />
          {fit.tables.spread && <h3>{fit.tables.spread.title}</h3>}
          <AnswerTable profile={profile} table={fit.tables.spread} names="variables" />
          <AnswerTable profile={profile} table={changes} stepView="tile" />
          {fit.tables.effect && <h3>What they do</h3>}
          <AnswerTable profile={profile} table={fit.tables.effect} />
          {alone && alone.rows.length > 0 && <h3>Each proposal alone</h3>}
          <AnswerTable profile={profile} table={alone} stepView="tile" />
          <AnswerTable profile={profile} table={advise?.tables.effects} />
          {fit.facts.fits === true && cellNumber(fit.facts.numChanges) > 0 && (
            <p class="hint">
              <code>popscope fit {profile.db.name} --write changes.json</code> writes them for the engine option popscope.applyAdvice.
            </p>
          )}
        </>
      )}
      {late && oom && (
        <>
          <h3>What must go at least</h3>
          {!fit && <Sentences answer={oom} most={3} />}
          {sameAnswers(profile.answers?.oomOfTiles ?? []).map(({ tiles, oom: ofTiles }) => (
            <MustGo key={tiles[0]} profile={profile} tiles={tiles} oom={ofTiles} />
          ))}
          {unsaid > 0 && (
            <p class="hint">
              {integer(unsaid)} more {unsaid === 1 ? 'tile does' : 'tiles do'} not fit:{' '}
              <code>popscope oom {profile.db.name} --tiles N</code> shows what must go from one of them.
            </p>
          )}
          <AnswerTable profile={profile} table={oom.tables.tiles} most={5} only={['tile', 'over', 'there', 'tooMuch']} />
        </>
      )}
      {late && !fit && (
        <p class="hint">
          To find changes of the mapping with which the program fits, compile with trials: <code>{kTry}</code>
        </p>
      )}
    </Card>
  );
}

/** Returns a table of an answer with exact shares: an answer has shares with one decimal, so that a small share would be 0. */
function withShares(table: Answered | undefined, key: string, whole: number): Answered | undefined {
  return table && { ...table, rows: table.rows.map((row) => ({ ...row, share: (100 * cellNumber(row[key])) / whole })) };
}

/** Shows the cycles of each kind of work on the critical path; the rows add up to the length of the runs. */
export function BoundCard({ profile }: { readonly profile: Profile }): JSX.Element | null {
  const loss = profile.answers?.views.loss;
  const bound = loss?.tables.bound;
  if (!loss || !bound || bound.rows.length === 0) return null;
  const of = (key: string) => bound.columns.find((c) => c.key === key)?.key ?? '';
  const kinds = bound.rows.map((row) => ({ name: cellText(row[of('bound')]), cycles: cellNumber(row[of('cycles')]) }));
  const sum = kinds.reduce((all, kind) => all + kind.cycles, 0);
  const most = kinds.reduce((a, b) => (b.cycles > a.cycles ? b : a));
  return (
    <Card title={`Bound by ${most.name}`} aside={<a href={link('execution', { critical: 'yes' })}>Critical path</a>}>
      <AnswerTable profile={profile} table={withShares(bound, 'cycles', sum)} />
      <p>Together {integer(sum)} cycles: the parts of the length of the recorded runs on the critical path.</p>
      <h3>Balance over all tiles would save</h3>
      <AnswerTable
        profile={profile}
        table={withShares(loss.tables.balance, 'saves', sum)}
        stepView="execution"
        most={5}
        only={['step', 'tilesBusy', 'saves', 'share']}
      />
    </Card>
  );
}

/** Shows the largest variables, vertices and exchanges. */
export function LargestCard({ profile }: { readonly profile: Profile }): JSX.Element | null {
  const { topVariables, topVertices, exchange } = profile.answers?.views ?? {};
  if (!topVariables && !topVertices && !exchange) return null;
  const ran = profile.runs.length > 0; // without a run, nothing has times
  const first = (answer: Answer | undefined) => Object.values(answer?.tables ?? {})[0];
  return (
    <Card title="What is largest">
      {topVariables && <h3>Variables</h3>}
      <AnswerTable profile={profile} table={first(topVariables)} most={5} names="variables" />
      {topVertices && <h3>Vertex types</h3>}
      <AnswerTable
        profile={profile}
        table={first(topVertices)}
        most={5}
        names="vertices"
        only={ran ? ['name', 'vertices', 'cycles', 'share'] : ['name', 'vertices', 'bytes', 'code']}
      />
      {(exchange?.tables.exchanges?.rows.length ?? 0) > 0 && <h3>Exchanges</h3>}
      <AnswerTable
        profile={profile}
        table={exchange?.tables.exchanges}
        stepView="exchange"
        most={5}
        only={ran ? ['step', 'executions', 'cycles', 'received', 'hottestTile'] : ['step', 'received', 'hottestTile']}
      />
    </Card>
  );
}

/** Shows the distance of the layout from the lower bound of memory. */
export function GapCard({ profile }: { readonly profile: Profile }): JSX.Element | null {
  const gap = profile.answers?.views.gap;
  if (!gap) return null;
  return (
    <Card title="What a better packing would save">
      <Sentences answer={gap} />
      <AnswerTable profile={profile} table={Object.values(gap.tables)[0]} stepView="tile" most={5} />
    </Card>
  );
}

/** Shows the effect of halved and doubled constants of the machine. */
export function SensitivityCard({ profile }: { readonly profile: Profile }): JSX.Element | null {
  const sensitivity = profile.answers?.views.sensitivity;
  const table = sensitivity?.tables.constants;
  if (!sensitivity || !table) return null;
  const rows = table.rows.filter((row) => [row.halved, row.doubled].some((c) => cellNumber(c) !== 0));
  return (
    <Card title="Sensitivity">
      <Sentences answer={sensitivity} />
      <Table
        label="Constants of the machine"
        rows={rows}
        columns={[
          { title: 'Constant', value: (r) => cellText(r.field) },
          { title: 'Recorded', value: (r) => cellText(r.value) },
          { title: 'Halved', unit: 'cycles', value: (r) => cellNumber(r.halved), show: (r) => signed(cellNumber(r.halved)) },
          { title: 'Doubled', unit: 'cycles', value: (r) => cellNumber(r.doubled), show: (r) => signed(cellNumber(r.doubled)) },
        ]}
      />
    </Card>
  );
}
