// Collects the notes that a reader needs before trusting a number: what is estimated, incomplete or not recorded.
import type { Profile, RunTotals } from '../../data/profile';
import { number, text } from '../../data/database';
import { integer } from '../../derived/format';
import { noteOfCutRuns, noteOfMissedRuns } from '../../derived/recorded';
import { whyNoTime } from '../../derived/times';

export function collectNotes(profile: Profile): string[] {
  const notes: string[] = [];
  if (!profile.complete)
    notes.push('The file is not complete: the program that wrote it did not end. Numbers of its last run may be missing.');
  if (profile.meta.get('codeIncluded') === '0')
    notes.push('Code is not included in memory: the model was compiled without code for the IPU (compileIPUCode).');
  if (profile.runTotals.length > 0) notes.push('Cycles are estimates of a cost model; nothing here was measured on a machine.');
  notes.push(...sourceNotes(profile));
  notes.push(...[noteOfCutRuns(profile), noteOfMissedRuns(profile)].filter((note) => note !== ''));
  const lacks = ({ total, sync, compute, hostExchange }: RunTotals) =>
    !Number.isNaN(total) && [sync, compute, hostExchange].some((cycles) => Number.isNaN(cycles));
  if (profile.runTotals.some((t) => Number.isNaN(t.total))) notes.push(`Some times are unknown, and are shown as –. ${whyNoTime(profile)}`);
  if (profile.runTotals.some(lacks))
    notes.push('This level of instrumentation did not record some times; they are shown as – and left out of sums.');
  if (!profile.hasAllocations)
    notes.push('Addresses of variables were not recorded (autoReport.outputLoweredVars): the tile view cannot draw them.');
  for (const row of profile.db.query('SELECT about, text FROM warnings ORDER BY id')) notes.push(`${text(row.about)}: ${text(row.text)}`);
  return notes;
}

/** Descriptions of the sources from which cycles of vertices come (docs/FORMAT-pop.md). */
const kSources: ReadonlyMap<string, string> = new Map([
  ['estimate', 'from the program’s own setPerfEstimate'],
  ['estimator', 'from a registered estimator'],
  ['codelet', 'from the codelet’s getCycleEstimate'],
  ['stand-in', 'from instructions counted on the substitute instruction set'],
  ['last known', 'from the last count of the same vertex, or else of a vertex with the same type and operand sizes'],
  ['runtime', 'of copy vertices, from the model of the machine'],
  ['', 'not known'],
]);

/** Returns a note on the sources from which cycles of vertices come, most vertices first; no note if the profile states no source. */
function sourceNotes(profile: Profile): string[] {
  const rows = profile.db.query('SELECT source, sum(vertices) AS n FROM vertex_cycle_sources GROUP BY source ORDER BY n DESC, source');
  if (rows.length === 0) return [];
  const parts = rows.map((row) => `${integer(number(row.n))} ${kSources.get(text(row.source)) ?? `from ${text(row.source)}`}`);
  return [`Cycles of vertices: ${parts.join('; ')}.`];
}
