// Gives the tests a temporary folder of their own, and fails if a test leaves a page in it.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'popscope-test-'));
  process.env.TMPDIR = folder; // popscope and the browser, which the tests start, use it, too
  return () => {
    const left = readdirSync(folder).filter((name) => name.startsWith('popscope'));
    rmSync(folder, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`tests left ${left.join(', ')} in the temporary folder`);
  };
}
