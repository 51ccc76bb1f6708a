// Shows the offline page where a page cannot be fetched. It keeps that page alone, never an answer
// of the service, and leaves every other request to the browser.
const CACHE = 'offline-1';
const KEPT = ['/offline.html', '/offline.css'];

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(KEPT))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate')
    event.respondWith(fetch(request).catch(() => caches.match('/offline.html')));
  else if (new URL(request.url).pathname === '/offline.css')
    event.respondWith(fetch(request).catch(() => caches.match('/offline.css')));
});
