// The page with the fake planner, for work on the page alone:
//   node scripts/bundle_presets.mjs build/presets.json && npx vite build -c tests/web/fake/vite.config.ts
import { fileURLToPath } from 'node:url';
import { defineConfig, mergeConfig } from 'vite';
import page from '../../../web/vite.config.ts';

const fake = fileURLToPath(new URL('nestplan.ts', import.meta.url));
const alias = { find: /^.*\/build\/wasm\/nestplan\.js$/, replacement: fake };

export default defineConfig(mergeConfig(page, { resolve: { alias: [alias] } }));
