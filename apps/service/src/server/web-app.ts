import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ServiceConfig } from './config.ts';
import { refuse, sendRefusal } from './refusal.ts';

/** For assets, whose names carry a hash of their content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The browser's own routes. Any other path gets the same page with status 404, and the app shows that. */
const BROWSER_ROUTES = [
  /^\/$/,
  /^\/(login|register|resetPassword|account|appointments|walkin)\/?$/,
  /^\/booking\/payment\/success\/?$/,
  /^\/auth(\/[^/]+){0,2}\/?$/,
  /^\/confirm(\/[^/]+)?\/?$/,
];

/** The front desk's own routes; no page of the patients links to them. */
const DESK_ROUTES = [
  /^\/desk\/?$/,
  /^\/desk\/day\/[\d-]+\/?$/,
  /^\/desk\/patients(\/[^/]+)?\/?$/,
  /^\/desk\/invitation\/?$/,
];

/** Serves the built pages, and answers every path that has no route. */
export async function serveWebApp(
  app: FastifyInstance,
  { webRoot, deskRoot = null, practice }: Pick<ServiceConfig, 'webRoot' | 'deskRoot' | 'practice'>,
): Promise<void> {
  const html = pageIn(webRoot, practice);
  const deskHtml = pageIn(deskRoot, practice);
  if (webRoot !== null && existsSync(webRoot)) await serveFiles(app, webRoot, '/');
  if (deskRoot !== null && deskHtml !== null)
    await serveFiles(app, join(deskRoot, 'assets'), '/desk/assets/');

  const sendPage = (reply: FastifyReply, page: string | null, status: number) =>
    page === null
      ? sendRefusal(reply, refuse('notFound'))
      : reply.code(status).type('text/html; charset=utf-8').send(page);

  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: (_request, reply) => sendPage(reply, html, 200),
  });

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    const isFile = path.startsWith('/assets/') || path.startsWith('/desk/assets/');
    if (!isPage || path === '/api' || path.startsWith('/api/') || isFile)
      return sendRefusal(reply, refuse('notFound'));
    const isDesk = deskHtml !== null && /^\/desk(\/|$)/.test(path);
    const routes = isDesk ? DESK_ROUTES : BROWSER_ROUTES;
    const status = routes.some((each) => each.test(path)) ? 200 : 404;
    return sendPage(reply, isDesk ? deskHtml : html, status);
  });
}

/** The page of a built app; null when the app is not built. */
function pageIn(folder: string | null, practice: boolean): string | null {
  const page = folder === null ? '' : join(folder, 'index.html');
  if (!existsSync(page)) return null;
  const built = readFileSync(page, 'utf8');
  // Marks the page so that the practice banner shows before the configuration has been loaded.
  return practice ? built.replace('<html', '<html data-practice') : built;
}

const serveFiles = (app: FastifyInstance, root: string, prefix: string) =>
  app.register(fastifyStatic, {
    root,
    prefix,
    decorateReply: false,
    index: false,
    redirect: false,
    wildcard: true,
    cacheControl: false,
    etag: true,
    preCompressed: true,
    setHeaders(reply, file) {
      if (/[/\\]assets[/\\]/.test(file)) reply.header('cache-control', FOR_EVER);
    },
  });
