// Starts the page: the profile inside it, if there is one, else the place to drop one.
import { render } from 'preact';
import { gunzipSync } from 'fflate';
import { App } from './App';

async function inPage(): Promise<{ name: string; bytes: Uint8Array } | null> {
  const element = document.getElementById('profile');
  const data = element?.textContent?.trim() ?? '';
  if (!element || data === '') return null;
  const name = element.dataset.name ?? 'profile.pop';
  const packed = decodeBase64(data);
  element.remove(); // the text is as large as the profile
  if (typeof DecompressionStream === 'undefined') return { name, bytes: gunzipSync(packed) };
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return { name, bytes: new Uint8Array(await new Response(stream).arrayBuffer()) };
}

function decodeBase64(data: string): Uint8Array<ArrayBuffer> {
  const binary = atob(data);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

const root = document.getElementById('app');
if (root) render(<App first={inPage()} />, root);
