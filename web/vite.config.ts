import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

function filesBelow(folder: string): readonly string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return paths.map((path) => join(folder, path)).filter((path) => statSync(path).isFile());
}

// Writes sw.js with the list of what was built, once everything is there.
function offline(): Plugin {
  return {
    name: 'nestplan-offline',
    apply: 'build',
    closeBundle() {
      const out = join(root, 'dist');
      const paths = filesBelow(out)
        .filter((path) => path !== join(out, 'sw.js'))
        .toSorted();
      const hash = createHash('sha256');
      for (const path of paths) hash.update(readFileSync(path));
      const files = paths.map((path) => `./${relative(out, path).split(sep).join('/')}`);
      const head = [
        `self.nestplanVersion = '${hash.digest('hex').slice(0, 16)}';`,
        `self.nestplanFiles = ${JSON.stringify(['./', ...files])};`,
      ].join('\n');
      writeFileSync(join(out, 'sw.js'), `${head}\n${readFileSync(join(root, 'sw.js'), 'utf8')}`);
    },
  };
}

// Relative base: the built folder works at any path of any static host. `build/wasm` and
// `build/presets.json` come from scripts/build.
export default defineConfig({
  root,
  base: './',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0, // the page's policy allows no data: addresses
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  worker: { format: 'es' },
  server: { fs: { allow: ['..'] } },
  plugins: [offline()],
});
