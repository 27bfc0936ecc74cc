// Reads files that the user drops or chooses: profiles, and the debug information of a profile.
import { readAnswers } from '../data/answers';
import { openDatabase } from '../data/database';
import { type DebugContext, readDebug } from '../data/debug';
import { Profile } from '../data/profile';
import { Queries } from '../data/queries';
import { visible } from '../data/visible';

/** The bytes of a profile, and those of its debug.cbor if the user gave this file. */
export interface Content {
  readonly name: string;
  readonly bytes: () => Promise<Uint8Array>;
  readonly debug: (() => Promise<Uint8Array>) | null;
  readonly answers: (() => Promise<Uint8Array>) | null; // answers that `popscope html` put into the page
  readonly written: number; // time of the file in milliseconds since 1970; NaN = unknown
}

export interface Opened {
  readonly profile: Profile;
  readonly problem: string; // fault of the debug information; empty = none
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

/**
 * Opens a profile. Throws if the profile cannot be read. If the debug information cannot be read, leaves it out and returns the reason in
 * `problem`.
 */
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

/** Returns the profile among some files, together with the debug information among them; null if no file is a profile. */
export function contentOf(files: readonly File[]): Content | null {
  const file = files.find(isProfile);
  const debug = files.find(isDebug);
  if (!file) return null;
  const beside = debug ? () => bytesOf(debug) : null;
  return { name: visible(file.name), bytes: () => bytesOf(file), debug: beside, answers: null, written: file.lastModified };
}
