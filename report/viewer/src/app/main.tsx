// Starts the page. Shows the profile inside the page or, if the page contains none, the place to drop a profile.
import { render } from 'preact';
import { gunzipSync } from 'fflate';
import { keepLinksHere } from './address';
import { App } from './App';
import { serveQueries } from '../data/queries';
import { visible } from '../data/visible';
import type { Content } from './files';

/** Returns the bytes that an element of the page holds, and removes the element, because its text is as large as the bytes. */
function packedIn(id: string): Pick<Content, 'name' | 'bytes' | 'written'> | null {
  const element = document.getElementById(id);
  const data = element?.textContent?.trim() ?? '';
  if (!element || data === '') return null;
  const name = visible(element.dataset.name ?? 'profile.pop');
  const written = 1000 * Number(element.dataset.written || NaN);
  element.remove();
  return { name, bytes: () => unpack(data), written };
}

async function unpack(data: string): Promise<Uint8Array> {
  const packed = decodeBase64(data);
  if (typeof DecompressionStream === 'undefined') return gunzipSync(packed);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Returns the second profile in the page, which is compared with the first. */
function secondInPage(): Content | null {
  const second = packedIn('second');
  const debug = packedIn('second-debug');
  const answers = packedIn('second-answers');
  return second ? { ...second, debug: debug?.bytes ?? null, answers: answers?.bytes ?? null } : null;
}

async function inPage(): Promise<Content | null> {
  const profile = packedIn('profile');
  const debug = packedIn('debug');
  const answers = packedIn('answers');
  if (!profile) return null;
  const bytes = await profile.bytes();
  return { ...profile, bytes: () => Promise.resolve(bytes), debug: debug?.bytes ?? null, answers: answers?.bytes ?? null };
}

/** Returns the name of the profile that the page's server follows; empty if the server follows none. */
function followed(): string {
  const name: unknown = JSON.parse(document.getElementById('follow')?.textContent ?? '""');
  return typeof name === 'string' ? visible(name) : '';
}

function decodeBase64(data: string): Uint8Array<ArrayBuffer> {
  const native = (Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> }).fromBase64;
  if (native) return native.call(Uint8Array, data); // browsers have this method since 2025; it is several times faster
  const binary = atob(data);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

if (typeof document === 'undefined') serveQueries();
else {
  keepLinksHere();
  const root = document.getElementById('app');
  if (root) render(<App first={inPage()} second={secondInPage()} follow={followed()} />, root);
}
