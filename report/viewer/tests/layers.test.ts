// The structure of the viewer's source: what each layer may import, how long a file may be, and a folder for each view.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { kViewKeys } from '../src/app/viewKeys';

const kSource = join(__dirname, '..', 'src');
const kMaxLines = 250;

/** The folders from which the files of a folder may import. A file outside the folders has its own name as key. */
const kMay: Readonly<Record<string, readonly string[]>> = {
  data: ['data'],
  derived: ['data', 'derived', 'theme'],
  draw: ['data', 'derived', 'draw', 'theme'],
};

function sources(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? sources(path) : /\.tsx?$/.test(name) ? [path] : [];
  });
}

function importsOf(path: string): string[] {
  const found = readFileSync(path, 'utf8').matchAll(/^import (?!type\b)[^;]*?from '(\.[^']*)'/gms);
  return [...found].map((m) => normalize(join(dirname(path), m[1] ?? '')).slice(kSource.length + 1));
}

const short = (path: string) => path.slice(kSource.length + 1);

describe('the source of the viewer', () => {
  const files = sources(kSource);
  it('has no file of more than 250 lines', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter((file) => readFileSync(file, 'utf8').split('\n').length - 1 > kMaxLines).map(short)).toEqual([]);
  });

  it('imports from its own layer and those below alone', () => {
    const wrong = files.flatMap((file) => {
      const may = kMay[short(file).split('/')[0] ?? ''];
      return may
        ? importsOf(file)
            .filter((to) => !may.includes(to.split('/')[0] ?? ''))
            .map((to) => `${short(file)} -> ${to}`)
        : [];
    });
    expect(wrong).toEqual([]);
  });

  it('has a folder for each view, whose plain files draw nothing and touch no page', () => {
    const folders = readdirSync(join(kSource, 'views')).filter((name) => statSync(join(kSource, 'views', name)).isDirectory());
    const withOthers: Readonly<Record<string, string>> = { options: 'about' }; // two views share one folder
    for (const { key } of kViewKeys) expect(folders, key).toContain(withOthers[key] ?? key);
    const plain = files.filter((file) => /^views\/\w+\/\w+\.ts$/.test(short(file)));
    expect(plain.length).toBeGreaterThan(10);
    expect(plain.filter((file) => /from 'preact|document\./.test(readFileSync(file, 'utf8'))).map(short)).toEqual([]);
  });
});
