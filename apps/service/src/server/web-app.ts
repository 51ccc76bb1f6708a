import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deskPages, linkAt, patientPages } from '@clinic/domain';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceConfig } from './config.ts';
import { refuse, sendRefusal } from './refusal.ts';
import { countUnrouted, pathPattern } from './unrouted.ts';

/** For assets, whose names carry a hash of their content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Any other path gets the same page with status 404, and the app shows that. */
const BROWSER_ROUTES = [...Object.values(patientPages), '/confirm/:secret?'].map(patternOf);

/** The front desk's own routes; no page of the patients links to them. */
const DESK_ROUTES = [
  ...Object.values(deskPages).map((page) => patternOf(`/desk${page}`)),
  /^\/desk\/invitation([^\w-].*)?$/,
];

function patternOf(page: string): RegExp {
  return pathPattern(page.replace(/\/$/, ''), '/?');
}

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

  /** The page of a path, with its status; null where only a refusal belongs. */
  function pageOf(path: string) {
    const isFile = path.startsWith('/assets/') || path.startsWith('/desk/assets/');
    if (path === '/api' || path.startsWith('/api/') || isFile) return null;
    const isDesk = deskHtml !== null && /^\/desk(\/|$)/.test(path);
    const routes = isDesk ? DESK_ROUTES : BROWSER_ROUTES;
    // A mailed link that was rewritten on its way is read by the page.
    const mailed = linkAt(path);
    const isMailed = mailed !== null && mailed.address.startsWith('/desk/') === isDesk;
    const isKnown = isMailed || routes.some((each) => each.test(path));
    return { page: isDesk ? deskHtml : html, status: isKnown ? 200 : 404 };
  }

  /** Answers what no route takes: with a page, or with a refusal that names the path's own methods. */
  const answerUnrouted = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const found = pageOf(path);
    const ofPage = found?.status === 200 ? READING : [];
    const methods = [...new Set([...app.methodsAt(path), ...ofPage])];
    const isReading = READING.includes(request.method);
    if (found !== null && isReading && (methods.length === 0 || found.status === 200))
      return sendPage(reply, found.page, found.status);
    const tooOften = countUnrouted(request);
    if (tooOften !== null) return sendRefusal(reply, tooOften);
    if (methods.length === 0 || methods.includes(request.method))
      return sendRefusal(reply, refuse('notFound'));
    return sendRefusal(reply.header('allow', methods.join(', ')), refuse('methodNotAllowed'));
  };
  app.setNotFoundHandler(answerUnrouted);
  // Before a body is read, and for methods that Fastify knows better than we do.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return answerUnrouted(request, reply);
  });
}

const READING = ['GET', 'HEAD'];

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
