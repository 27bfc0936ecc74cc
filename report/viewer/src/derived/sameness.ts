// Lists the differences that make two profiles hard to compare: the machine, whether code is included, the engine options.
import type { Profile } from '../data/profile';
import { compareOptions } from './compare';
import { bytes, integer } from './format';

const kMaxOptions = 6;

/** Returns a sentence for each difference; no sentence if both profiles have the same machine and the same options. */
export function differentGround(first: Profile, second: Profile): readonly string[] {
  const out: string[] = [];
  const say = (what: string, a: string, b: string) => {
    if (a !== b) out.push(`${what}: ${a} and ${b}.`);
  };
  const [a, b] = [first.target, second.target];
  say('Targets', `${a.type} ${a.architecture}`, `${b.type} ${b.architecture}`);
  say('IPUs', integer(a.ipus), integer(b.ipus));
  say('Tiles of an IPU', integer(a.tilesPerIpu), integer(b.tilesPerIpu));
  say('Memory of a tile', bytes(a.bytesPerTile), bytes(b.bytesPerTile));
  say('Replicas', integer(a.replicas), integer(b.replicas));
  say('Clocks', `${(a.clockHz / 1e9).toFixed(3)} GHz`, `${(b.clockHz / 1e9).toFixed(3)} GHz`);
  say('Workers of a tile', integer(a.workers), integer(b.workers));
  const code = (p: Profile) => (p.meta.get('codeIncluded') === '0' ? 'not in memory' : 'in memory');
  say('Code', code(first), code(second));
  for (const one of [first, second])
    if (one.runs.length === 0 && first.runs.length + second.runs.length > 0)
      out.push(`${one.title} has no recorded run: cycles are not compared.`);
  // The folder of the profile has no effect on the contents.
  const options = compareOptions(first, second)
    .map((o) => o.key)
    .filter((key) => !key.endsWith('autoReport.directory'));
  if (options.length > 0)
    out.push(
      `Options that differ: ${options.slice(0, kMaxOptions).join(', ')}${options.length > kMaxOptions ? ` and ${integer(options.length - kMaxOptions)} more` : ''}.`,
    );
  return out;
}

/** Returns labelled facts that distinguish a profile from another of the same name: program, runs, folder, time of writing, and machine. */
export function groundOf(profile: Profile): readonly (readonly [string, string])[] {
  const runs = [...new Set(profile.runs.map((run) => run.name || `program ${run.program}`))];
  const folder = profile.db.query("SELECT value FROM options WHERE key LIKE '%autoReport.directory' LIMIT 1")[0]?.value;
  return [
    ['Program', profile.writtenBy || 'not recorded'],
    ['Runs', runs.length === 0 ? 'no recorded run' : runs.slice(0, 4).join(', ') + (runs.length > 4 ? ', …' : '')],
    ['Folder', typeof folder === 'string' && folder !== '' ? folder : 'not recorded'],
    ['Written', Number.isFinite(profile.written) ? new Date(profile.written).toLocaleString() : 'not known'],
    [
      'Machine',
      `${profile.target.type} ${profile.target.architecture}, ${integer(profile.target.ipus)} × ${integer(profile.target.tilesPerIpu)} tiles`,
    ],
  ];
}
