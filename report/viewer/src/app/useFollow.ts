// Follows a running program: asks the page's server every second whether the profile has changed, and shows the newer profile in the open
// view.
import { useEffect, useState } from 'preact/hooks';
import { type Content, messageOf } from './files';

const kEvery = 1000; // milliseconds

async function bytesFrom(path: string): Promise<Uint8Array> {
  const response = await fetch(path, { cache: 'no-store' });
  if (!response.ok) throw new Error((await response.text()).trim());
  return new Uint8Array(await response.arrayBuffer());
}

/**
 * Returns a sentence about the followed program, or an empty text if the page follows no program. `name` is the name of the profile; empty
 * = follow nothing.
 */
export function useFollow(name: string, replace: (content: Content) => Promise<void>): string {
  const [said, setSaid] = useState(name === '' ? '' : `Waiting for ${name}`);
  useEffect(() => {
    if (name === '') return;
    let timer = 0;
    let shown = '';
    const look = async () => {
      try {
        const state = await (await fetch('state', { cache: 'no-store' })).text();
        if (state !== shown && state !== '') {
          const bytes = await bytesFrom('profile');
          const debug = await bytesFrom('debug').catch(() => null);
          const answers = await bytesFrom('answers').catch(() => null);
          const promised = (of: Uint8Array | null) => of && (() => Promise.resolve(of));
          await replace({
            name,
            bytes: () => Promise.resolve(bytes),
            debug: promised(debug),
            answers: promised(answers),
            written: Date.now(),
          });
          shown = state;
          setSaid(`Follows ${name}; as of ${new Date().toLocaleTimeString()}`);
        }
      } catch (error) {
        setSaid(
          error instanceof TypeError
            ? `popscope view has ended: ${name} is no longer followed`
            : `Waiting for ${name}: ${messageOf(error)}`,
        );
      }
      timer = window.setTimeout(() => void look(), kEvery);
    };
    void look();
    return () => clearTimeout(timer);
  }, [name]);
  return said;
}
