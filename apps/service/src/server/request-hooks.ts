import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '../platform.ts';
import { NO_STORE, securityHeaders } from './security-headers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The headers of every answer; also for answers that no hook sees. */
    setCommonHeaders: (request: FastifyRequest, reply: FastifyReply) => void;
  }
}

/** One 'now' per request, a limit of every route that is no page, the headers of S-9, the service's clock in `Date`, one log line. */
export function observeRequests(app: FastifyInstance, { clock, config, log }: Platform): void {
  const headers = securityHeaders({
    https: config.publicUrl.startsWith('https:'),
    cardForm: config.payments?.kind ?? null,
    captcha: config.captcha.kind,
  });

  app.decorateRequest('now', 0);
  app.decorateRequest('patient', null);
  app.decorateRequest('exchangedToken', null);
  app.decorateRequest('rawJson', '');
  app.decorateRequest('refusalCode', null);
  app.decorate('setCommonHeaders', (request: FastifyRequest, reply: FastifyReply) => {
    request.now = clock.now();
    reply.headers(headers);
    reply.header('cache-control', NO_STORE);
    reply.header('date', new Date(request.now * 1000).toUTCString());
  });
  app.addHook('onRoute', ({ method, url, config: { call, limit } = {} }) => {
    const reads = [method].flat().every((each) => each === 'GET' || each === 'HEAD');
    const isPage = reads && !url.startsWith('/api');
    if (!isPage && call === undefined && limit === undefined)
      throw new Error(`${String(method)} ${url} names no limit (S-5)`);
  });
  app.addHook('onRequest', async (request, reply) => {
    await clock.sure?.();
    app.setCommonHeaders(request, reply);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { patient, refusalCode } = request;
    log.request({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      ...(patient === null ? {} : { pseudonym: app.callHost.pseudonymOf(patient) }),
      ...(refusalCode === null ? {} : { code: refusalCode }),
    });
  });
}
