// A static file server on the loopback, as strict as any host the page may meet: no eval.
// Usage: node serve.mjs FOLDER [PORT]; tests call serve(folder, 0) for a free port.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

function find(folder, url) {
  const path = join(folder, normalize(decodeURIComponent(url.split(/[?#]/)[0])));
  if (!path.startsWith(folder)) return undefined;
  for (const file of [path, join(path, 'index.html')]) {
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  }
  return undefined;
}

function respond(folder, request, response) {
  let file;
  try {
    file = find(folder, request.url ?? '/');
  } catch {
    file = undefined; // a malformed address
  }
  if (!file) {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('not found\n');
    return;
  }
  response.writeHead(200, {
    'Content-Type': types[extname(file)] ?? 'application/octet-stream',
    'Content-Security-Policy': "script-src 'self' 'wasm-unsafe-eval'",
    'Cache-Control': 'no-cache',
  });
  createReadStream(file).pipe(response);
}

// Resolves to {url, close}; a port that is taken gives way to a free one.
export function serve(folder, port = 0) {
  const root = resolve(folder);
  const server = createServer((request, response) => respond(root, request, response));
  return new Promise((done, fail) => {
    server.on('error', (error) => {
      if (error.code === 'EADDRINUSE' && port !== 0) server.listen(0, '127.0.0.1');
      else fail(error);
    });
    server.on('listening', () => {
      const close = () =>
        new Promise((closed) => {
          server.close(closed);
          server.closeAllConnections();
        });
      done({ url: `http://127.0.0.1:${server.address().port}/`, close });
    });
    server.listen(port, '127.0.0.1');
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder = 'web/dist', port = '8080'] = process.argv.slice(2);
  const { url } = await serve(folder, Number(port));
  console.log(`nestplan is at ${url} (Ctrl-C stops it)`);
}
