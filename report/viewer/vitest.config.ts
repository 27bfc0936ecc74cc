import { defineConfig } from 'vitest/config';

export default defineConfig({
  // A numeric address, because a minimal system has no /etc/hosts to resolve a name.
  server: { host: '127.0.0.1' },
  test: {
    include: ['tests/**/*.test.ts'],
    environment: 'node',
    testTimeout: 300_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    globalSetup: 'tests/leftovers.ts',
  },
});
