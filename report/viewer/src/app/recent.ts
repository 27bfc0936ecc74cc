// Profiles that the user opened before. The list has the profiles of this page with their contents. If the browser keeps file handles (File
// System Access), the list also has the profiles of earlier pages, by name. The page does not store the contents of these profiles.
import type { Content } from './files';
import { contentOf } from './files';

/** A handle through which the browser can open a file again. */
export interface LentFile {
  readonly name: string;
  getFile(): Promise<File>;
  queryPermission?(mode: { mode: 'read' }): Promise<PermissionState>;
  requestPermission?(mode: { mode: 'read' }): Promise<PermissionState>;
}

export interface Recent {
  readonly key: string;
  readonly name: string;
  readonly about: string; // text that distinguishes files of the same name
  readonly content: () => Promise<Content>;
}

const kMost = 8;
const kStore = 'files';

const request = <T>(of: IDBRequest<T>): Promise<T> =>
  new Promise((done, failed) => {
    of.onsuccess = () => done(of.result);
    of.onerror = () => failed(of.error ?? new Error('the browser does not store files'));
  });

/** Opens the store of file handles; null if the browser keeps nothing for this page. */
async function store(mode: IDBTransactionMode): Promise<IDBObjectStore | null> {
  try {
    const opening = indexedDB.open('popscope', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(kStore, { keyPath: 'key' });
    return (await request(opening)).transaction(kStore, mode).objectStore(kStore);
  } catch {
    return null;
  }
}

interface Kept {
  readonly key: string;
  readonly when: number;
  readonly files: readonly LentFile[]; // the profile first, then the debug.cbor of the profile
}

async function contentFrom(kept: Kept): Promise<Content> {
  const files: File[] = [];
  for (const lent of kept.files) {
    const allowed = (await lent.queryPermission?.({ mode: 'read' })) ?? 'granted';
    if (allowed !== 'granted' && (await lent.requestPermission?.({ mode: 'read' })) !== 'granted')
      throw new Error(`The browser does not let this page read ${lent.name} again: drop the file here.`);
    files.push(await lent.getFile());
  }
  const content = contentOf(files);
  if (!content) throw new Error(`${kept.key} is no longer there.`);
  return content;
}

/** Stores the handles of a profile's files. Keeps the entries of the last kMost profiles. */
export async function keepLent(key: string, files: readonly LentFile[]): Promise<void> {
  const to = await store('readwrite');
  if (!to) return;
  try {
    await request(to.put({ key, when: Date.now(), files } satisfies Kept));
    const all = (await request(to.getAll())) as Kept[];
    for (const old of all.sort((a, b) => b.when - a.when).slice(kMost)) to.delete(old.key);
  } catch {
    // If the browser cannot store handles, earlier files are not offered.
  }
}

export async function lentBefore(): Promise<readonly Recent[]> {
  const from = await store('readonly');
  const all = from ? ((await request(from.getAll()).catch(() => [])) as Kept[]) : [];
  return all
    .sort((a, b) => b.when - a.when)
    .map((kept) => ({
      key: kept.key,
      name: kept.files[0]?.name ?? kept.key,
      about: `opened ${new Date(kept.when).toLocaleString()}`,
      content: () => contentFrom(kept),
    }));
}

export async function forgetLent(): Promise<void> {
  (await store('readwrite'))?.clear();
}
