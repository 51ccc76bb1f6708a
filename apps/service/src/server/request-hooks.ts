import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ServiceConfig } from './config.ts';
import type { Platform } from '../platform.ts';

/** https://docs.stripe.com/security/guide#content-security-policy */
const STRIPE = {
  script: ' https://js.stripe.com https://*.js.stripe.com',
  connect: ' https://api.stripe.com',
  frame: ' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
};
/** https://developers.google.com/recaptcha/docs/faq */
const RECAPTCHA = {
  script: ' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
  connect: ' https://www.google.com/recaptcha/',
  frame: ' https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/',
};
const NOBODY = { script: '', connect: '', frame: '' };

export const NO_STORE = 'no-store';
/** Assets carry a hash of their content in their name. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

declare module 'fastify' {
  interface FastifyInstance {
    /** The headers of every answer; also for answers that no hook sees. */
    setCommonHeaders: (request: FastifyRequest, reply: FastifyReply) => void;
  }
}

/** One 'now' per request, a limit of every route that is no page, the headers of S-9, the service's clock in `Date`, one log line. */
export function observeRequests(
  app: FastifyInstance,
  { clock, config, keyring, log }: Platform,
): void {
  const headers = securityHeaders(config);
  const pseudonymOf = (id: string) => Buffer.from(keyring.mac('log', id)).toString('hex', 0, 8);

  app.decorateRequest('now', 0);
  app.decorateRequest('patient', null);
  app.decorateRequest('exchangedToken', null);
  app.decorateRequest('rawJson', '');
  app.decorateRequest('refusalCode', null);
  app.decorate('setCommonHeaders', (request: FastifyRequest, reply: FastifyReply) => {
    request.now = clock.now();
    reply.headers(headers);
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
      ...(patient === null ? {} : { pseudonym: pseudonymOf(patient.id) }),
      ...(refusalCode === null ? {} : { code: refusalCode }),
    });
  });
}

/** S-9: the headers of every answer. */
function securityHeaders(config: ServiceConfig): Readonly<Record<string, string>> {
  return {
    'cache-control': NO_STORE,
    'content-security-policy': contentSecurityPolicy(config),
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy':
      'accelerometer=(), camera=(), display-capture=(self), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()',
    'x-permitted-cross-domain-policies': 'none',
    'origin-agent-cluster': '?1',
  };
}

/** The card form of the payment step and the check for bots come from their companies. */
function contentSecurityPolicy({ publicUrl, payments, captcha }: ServiceConfig): string {
  const card = payments?.kind === 'stripe' ? STRIPE : NOBODY;
  const bots = captcha.kind === 'recaptcha' ? RECAPTCHA : NOBODY;
  const frame = `${card.frame}${bots.frame}`;
  return [
    "default-src 'none'",
    `script-src 'self'${card.script}${bots.script}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${card.connect}${bots.connect}`,
    ...(frame === '' ? [] : [`frame-src${frame}`]),
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(publicUrl.startsWith('https:') ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}
