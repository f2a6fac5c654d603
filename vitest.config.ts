import { defineConfig } from 'vitest/config';

// A test that needs a DOM says so in its first line: // @vitest-environment happy-dom
export default defineConfig({
  test: {
    include: ['tests/web/**/*.test.ts'],
    environment: 'node',
  },
});
