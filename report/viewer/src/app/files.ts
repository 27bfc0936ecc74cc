// Files that were dropped or chosen: profiles, and the debug information that belongs to one.
import { readAnswers } from '../data/answers';
import { openDatabase } from '../data/database';
import { type DebugContext, readDebug } from '../data/debug';
import { Profile } from '../data/profile';
import { Queries } from '../data/queries';
import { visible } from '../data/visible';

/** A profile as its bytes, with those of its debug.cbor where that was given. */
export interface Content {
  readonly name: string;
  readonly bytes: () => Promise<Uint8Array>;
  readonly debug: (() => Promise<Uint8Array>) | null;
  readonly answers: (() => Promise<Uint8Array>) | null; // that `popscope html` put beside it
  readonly written: number; // milliseconds since 1970, of the file; NaN = not known
}

export interface Opened {
  readonly profile: Profile;
  readonly problem: string; // with its debug information
}

export const bytesOf = async (file: File): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer());

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const isDebug = (file: File): boolean => file.name.toLowerCase().endsWith('.cbor');

export const isTrace = (file: File): boolean => file.name.toLowerCase().endsWith('.pvti');

export const isProfile = (file: File): boolean => !isDebug(file) && !isTrace(file);

const debugInfoOf = (profile: Profile): string => profile.meta.get('debugInfo') ?? '';

export async function readDebugFile(file: File, profile: Profile): Promise<ReadonlyMap<number, DebugContext>> {
  return readDebug(file.name, await bytesOf(file), debugInfoOf(profile));
}

/** Throws for a profile that cannot be read; debug information that cannot be is left out and named. */
export async function openContent(content: Content): Promise<Opened> {
  const profile = new Profile(await openDatabase(content.name, await content.bytes()));
  profile.written = content.written;
  profile.queries = new Queries(content.name, content.bytes);
  if (content.answers) profile.answers = readAnswers(await content.answers());
  if (!content.debug) return { profile, problem: '' };
  try {
    profile.debug = readDebug('debug.cbor', await content.debug(), debugInfoOf(profile));
    return { profile, problem: '' };
  } catch (error) {
    return { profile, problem: messageOf(error) };
  }
}

/** The profile among files, with the debug information among them. Null: there is no profile. */
export function contentOf(files: readonly File[]): Content | null {
  const file = files.find(isProfile);
  const debug = files.find(isDebug);
  if (!file) return null;
  const beside = debug ? () => bytesOf(debug) : null;
  return { name: visible(file.name), bytes: () => bytesOf(file), debug: beside, answers: null, written: file.lastModified };
}
