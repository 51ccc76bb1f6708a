import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ServiceConfig } from './config.ts';
import { refuse, sendRefusal } from './refusal.ts';

/** Assets carry a hash of their content in their name. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The browser's own routes. Any other path gets the same page with 404, and the app says so. */
const BROWSER_ROUTES = [
  /^\/$/,
  /^\/(login|register|resetPassword|account|appointments|walkin)\/?$/,
  /^\/booking\/payment\/success\/?$/,
  /^\/auth(\/[^/]+){0,2}\/?$/,
  /^\/confirm(\/[^/]+)?\/?$/,
];

/** Serves the built web app, and answers what nobody else does. */
export async function serveWebApp(
  app: FastifyInstance,
  { webRoot, practice }: Pick<ServiceConfig, 'webRoot' | 'practice'>,
): Promise<void> {
  const page = webRoot === null ? '' : join(webRoot, 'index.html');
  const built = existsSync(page) ? readFileSync(page, 'utf8') : null;
  // The banner of the practice clinic is there before the configuration is asked for.
  const html = practice ? (built?.replace('<html', '<html data-practice') ?? null) : built;

  if (webRoot !== null && existsSync(webRoot))
    await app.register(fastifyStatic, {
      root: webRoot,
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

  const sendPage = (reply: FastifyReply, status: number) =>
    html === null
      ? sendRefusal(reply, refuse('notFound'))
      : reply.code(status).type('text/html; charset=utf-8').send(html);

  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    handler: (_request, reply) => sendPage(reply, 200),
  });

  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const isPage = request.method === 'GET' || request.method === 'HEAD';
    if (!isPage || path === '/api' || path.startsWith('/api/') || path.startsWith('/assets/'))
      return sendRefusal(reply, refuse('notFound'));
    return sendPage(reply, BROWSER_ROUTES.some((each) => each.test(path)) ? 200 : 404);
  });
}
