// What a reader must know before he trusts a number: what is estimated, incomplete or not recorded.
import type { Profile } from '../data/profile';
import { text } from '../data/database';
import { integer } from './format';

export function collectNotes(profile: Profile): string[] {
  const notes: string[] = [];
  if (!profile.complete)
    notes.push('The file is not complete: the program that wrote it did not end. Numbers of its last run may be missing.');
  if (profile.meta.get('codeIncluded') === '0')
    notes.push('Code is not included in memory: the model was compiled without code for the IPU (compileIPUCode).');
  if (profile.runTotals.length > 0) notes.push('Cycles are estimates of a cost model; nothing here was measured on a machine.');
  if (profile.runs.some((run) => !run.complete)) notes.push('A recorded run stopped before its end.');
  if (profile.db.has('paused_spans')) {
    const missed = profile.db.numbers('SELECT coalesce(sum(runs), 0) FROM paused_spans')[0] ?? 0;
    if (missed > 0) notes.push(`${integer(missed)} runs were not recorded; sums are over the ${integer(profile.runs.length)} that were.`);
  }
  const unknown = profile.runTotals.some((t) => Number.isNaN(t.sync) || Number.isNaN(t.compute) || Number.isNaN(t.hostExchange));
  if (unknown) notes.push('Some times were not recorded by this level of instrumentation: shown as –, and left out of sums.');
  if (!profile.hasAllocations)
    notes.push('Addresses of variables were not recorded (autoReport.outputLoweredVars): the tile view cannot draw them.');
  if (profile.db.has('warnings'))
    for (const row of profile.db.query('SELECT about, text FROM warnings ORDER BY id')) notes.push(`${text(row.about)}: ${text(row.text)}`);
  return notes;
}
