// Service worker: keeps this build's files, so that the page works without a network.
// The build (vite.config.ts) fills in the list of files and a version that changes with them.
const files = self.nestplanFiles;
const cacheName = `nestplan-${self.nestplanVersion}`;

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files)));
});

self.addEventListener('activate', (event) => {
  const dropOld = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith('nestplan-') && name !== cacheName);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(dropOld());
});

// The page itself comes from the network where there is one, so that a new release shows at once;
// all else has its content in its name.
async function page(request) {
  try {
    return await fetch(request);
  } catch {
    return (await caches.match('./', { cacheName })) ?? Response.error();
  }
}

async function asset(request) {
  return (await caches.match(request, { cacheName, ignoreSearch: true })) ?? fetch(request);
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(request.mode === 'navigate' ? page(request) : asset(request));
});
