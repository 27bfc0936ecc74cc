// Builds the page: one HTML file that contains the script (with SQLite in it), the style, a content security policy
// with the hashes of both, and a placeholder. `popscope html` replaces the placeholder by a profile.
// Usage: node build.mjs [OUTPUT]; by default, OUTPUT is dist/viewer.html.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const output = resolve(process.argv[2] ?? join(here, 'dist', 'viewer.html'));

const result = await build({
  absWorkingDir: here,
  entryPoints: ['src/app/main.tsx'],
  bundle: true,
  write: false,
  minify: true,
  format: 'iife',
  target: ['chrome111', 'firefox113', 'safari16.4'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.wasm': 'binary' },
  // Branches of sql.js that only run in Node import these modules.
  external: ['fs', 'path', 'crypto'],
  legalComments: 'none',
});
const script = result.outputFiles[0].text.replace(/<\/script/gi, '<\\/script').replace(/<!--/g, '<\\!--');
const style = readFileSync(join(here, 'src/style.css'), 'utf8');
const hash = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
const policy = `default-src 'none'; script-src ${hash(script)} 'wasm-unsafe-eval'; worker-src blob:; style-src ${hash(style)}; img-src data: blob:; base-uri 'none'; form-action 'none'`;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Popscope</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript to read the profile in it.</noscript>
<!--popscope:profile-->
<script>${script}</script>
</body>
</html>
`;
mkdirSync(dirname(output), { recursive: true });
writeFileSync(`${output}.part`, page);
renameSync(`${output}.part`, output);
