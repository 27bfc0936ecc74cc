import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Tests of SQL load SQLite as the page does: the program of SQLite is a module whose default export is its bytes.
  plugins: [
    {
      name: 'wasm',
      load: (id) => (id.endsWith('.wasm') ? `export default Uint8Array.from(${JSON.stringify([...readFileSync(id)])})` : null),
    },
  ],
  // A numeric address, because a minimal system has no /etc/hosts to resolve a name.
  server: { host: '127.0.0.1' },
  test: {
    include: ['tests/**/*.test.ts'],
    environment: 'node',
    server: { deps: { inline: [/\.wasm$/] } },
    testTimeout: 300_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    globalSetup: 'tests/leftovers.ts',
  },
});
