import { type AnyCall, answersOf } from '@clinic/contract';
import {
  ENGLISH,
  type Locale,
  acceptedLanguages,
  languages,
  preferredLanguage,
} from '@clinic/texts';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { finished } from 'node:stream';
import { CommitOutcomeUnknown, DatabaseConflict } from '../database/db.ts';
import { failureOf } from '../database/sqlstate.ts';
import { EmrBusy, EmrOffline, EmrOutcomeUnknown, EmrRefused } from './emr-errors.ts';
import type { ServiceConfig } from './config.ts';
import { type From, fromOf } from './known-browser.ts';
import type { Log } from './log.ts';
import type { ServerPorts } from './server-ports.ts';
import { opensSocket } from './realtime.ts';
import {
  MALFORMED,
  type Refusal,
  RefusedBody,
  malformedBody,
  refuse,
  sendRefusal,
  wrongMediaType,
} from './refusal.ts';
import { answerBeforeRoutes, answerConnections, answerParser, countUnrouted } from './unrouted.ts';

const BODY_LIMIT = 64 * 1024;
/** For a whole request: three photos from a phone take minutes. Silence ends a connection sooner. */
const REQUEST_TIMEOUT_MS = 300_000;
const HEADERS_TIMEOUT_MS = 30_000;
const SILENCE_TIMEOUT_MS = 30_000;
const DEEPEST_JSON = 20;
/** Calls that one process handles at once: about a second's work, so that a call let in is served soon. */
export const MOST_UNDER_WAY = 300;
/** And as many more from browsers that somebody signed in from: strangers do not use these up. */
const MORE_FROM_KNOWN = 100;

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

declare module 'fastify' {
  interface FastifyContextConfig {
    call?: AnyCall;
    /** For a route outside of the contract that is not rate limited. */
    limit?: 'none';
  }
  interface FastifyRequest {
    /** Read once per request (ADR 9). */
    now: number;
    from: From;
    /** The most wanted language of those that the clinic offers, or of all at its desk; English when none matches. */
    locale: Locale;
    /** The JSON body as it came. */
    rawJson: string;
  }
}

/**
 * A server without routes. Every request gets an id, one 'now' and a line in the log; every answer has the
 * headers of S-9 and the service's clock in `Date`; a body is JSON or refused; every route but a page must
 * name its rate limit.
 */
export function openServer(
  ports: Pick<ServerPorts, 'ids' | 'clock' | 'config' | 'keyring' | 'log'>,
): FastifyInstance {
  const { ids, clock, config, keyring, log } = ports;
  const headers = securityHeaders(config);
  const pseudonymOf = (id: string) => Buffer.from(keyring.mac('log', id)).toString('hex', 0, 8);
  const date = (now: number) => new Date(now * 1000).toUTCString();
  const answerConnection = answerConnections(() => ({ ...headers, date: date(clock.now()) }));
  const begin = (request: FastifyRequest, reply: FastifyReply) => {
    request.now = clock.now();
    request.from = fromOf(ports, { address: request.ip, cookies: request.headers.cookie });
    const accepted = acceptedLanguages(request.headers['accept-language'] ?? '');
    const isDesk = request.url.startsWith('/api/desk/');
    const offered = isDesk ? languages.map(({ id }) => id) : config.languages;
    request.locale = preferredLanguage(accepted, offered) ?? ENGLISH.id;
    reply.headers(headers);
    reply.header('date', date(request.now));
  };

  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENCE_TIMEOUT_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      shouldUpgradeCallback: opensSocket,
      // A request without a host is refused below: Node's own answer lacks the headers.
      requireHostHeader: false,
    },
    clientErrorHandler: answerParser(answerConnection),
    // Fastify's own answer has no headers either.
    return503OnClosing: false,
    exposeHeadRoutes: true,
    rewriteUrl: ({ url = '/' }) => routable(url),
    // One proxy is trusted: the client may have made up the entries before the proxy's own.
    trustProxy: config.trustProxy && ((_address, hop) => hop === 0),
    genReqId: () => ids.uuid(),
    routerOptions: { maxParamLength: 2_000, ignoreTrailingSlash: false },
    // No hook runs for these errors.
    frameworkErrors: (error, request, reply) => {
      begin(request, reply);
      const refusal = countUnrouted(request) ?? refusalOfError(error, undefined);
      void sendRefusal(reply, refusal ?? MALFORMED);
    },
  });
  const refuseAtOnce = answerBeforeRoutes(app, answerConnection);
  app.decorateRequest('now', 0);
  app.decorateRequest('from');
  app.decorateRequest('locale', ENGLISH.id);
  app.decorateRequest('patient', null);
  app.decorateRequest('staff', null);
  app.decorateRequest('ahead');
  app.decorateRequest('exchangedToken', null);
  app.decorateRequest('uses', null);
  app.decorateRequest('letInAfterMs', 0);
  app.decorateRequest('rawJson', '');
  app.decorateRequest('refusalCode', null);
  app.decorateRequest('answerCode', null);
  app.addHook('onRoute', ({ method, url, config: { call, limit } = {} }) => {
    const reads = [method].flat().every((each) => each === 'GET' || each === 'HEAD');
    const isPage = reads && !url.startsWith('/api');
    if (!isPage && call === undefined && limit === undefined)
      throw new Error(`${String(method)} ${url} names no limit (S-5)`);
  });
  app.addHook('onRequest', async (request, reply) => {
    const refusal = refuseAtOnce(request);
    if (refusal === null) await clock.sure?.();
    begin(request, reply);
    if (refusal !== null) return sendRefusal(reply, refusal);
  });
  refuseBeyond(app, MOST_UNDER_WAY);
  app.addHook('onResponse', async (request, reply) => {
    const { refusalCode, answerCode } = request;
    const own = request.patient ?? request.staff;
    const { call } = request.routeOptions.config;
    log.request({
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      ...(own === null ? {} : { pseudonym: pseudonymOf(own.id) }),
      ...(refusalCode === null ? {} : { code: refusalCode }),
      ...(call && { call: call.id }),
      ...(answerCode === null ? {} : { answer: answerCode }),
    });
  });
  acceptJsonOnly(app);
  handleErrors(app, log);
  return app;
}

/** An address as routes can read it: a page whose address was cut within an escape says so itself. */
function routable(url: string): string {
  if (url === '*') return '/*';
  if (/^\/api(?![\w-])/.test(url)) return url;
  try {
    decodeURI(url);
    return url;
  } catch {
    return url.replaceAll('%', '%25');
  }
}

/**
 * Refuses a call at once, before any work for it, while this many calls are under way: a growing queue serves
 * nobody in time. A call does not count while its body is still being received.
 */
function refuseBeyond(app: FastifyInstance, most: number): void {
  const underWay = new Set<FastifyReply['raw']>();
  const enter = ({ raw }: FastifyReply) => {
    underWay.add(raw);
    finished(raw, () => underWay.delete(raw));
  };
  const isCall = ({ routeOptions }: FastifyRequest) => routeOptions.config.call !== undefined;
  app.addHook('onRequest', async (request, reply) => {
    if (!isCall(request)) return;
    const more = request.from.isOurs ? MORE_FROM_KNOWN : 0;
    if (underWay.size >= most + more) return sendRefusal(reply, refuse('serviceBusy'));
    enter(reply);
  });
  app.addHook('preParsing', async (_request, reply) => {
    underWay.delete(reply.raw);
  });
  // This hook also runs for requests without a body, whose stream nobody would read to its end.
  app.addHook('preValidation', async (request, reply) => {
    if (isCall(request)) enter(reply);
  });
}

/** S-9: the headers of every answer. */
function securityHeaders(config: ServiceConfig): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
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

/** Allows the scripts of the card form and the bot check from the companies that provide them. */
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

/** Accepts only `application/json`, apart from the forms of calls with files. */
function acceptJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // Compressed bodies are refused: how large they would become cannot be known before.
  app.addHook('preParsing', async ({ headers }, reply) => {
    if (/^(identity)?$/i.test(headers['content-encoding']?.trim() ?? '')) return;
    reply.header('accept-encoding', 'identity');
    throw wrongMediaType();
  });
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    (request, body: string, done) => {
      const { files } = request.routeOptions.config.call ?? {};
      const onlyForms = files !== undefined && files.optional !== true;
      if (onlyForms || !isJsonType(request.headers['content-type'])) return done(wrongMediaType());
      if (body === '') return done(null, undefined);
      request.rawJson = body;
      try {
        const value: unknown = JSON.parse(body);
        if (nestsDeeper(value, DEEPEST_JSON)) throw new Error('It nests too deep');
        done(null, value);
      } catch (error) {
        done(malformedBody({ cause: error }));
      }
    },
  );
}

/** True for JSON without parameters or in UTF-8: other parameters would change what the body means. */
function isJsonType(header: string | undefined): boolean {
  return /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(header ?? '');
}

/** True when lists and objects are nested more than `most` levels deep. */
const nestsDeeper = (value: unknown, most: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some((each) => nestsDeeper(each, most - 1)));

/** What Fastify itself refuses before a handler runs. */
const refusalOfFramework: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: refuse('wrongMediaType'),
  FST_ERR_CTP_INVALID_TYPE: refuse('wrongMediaType'),
  FST_ERR_CTP_BODY_TOO_LARGE: refuse('tooLarge'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: MALFORMED,
  FST_ERR_CTP_EMPTY_JSON_BODY: MALFORMED,
  FST_ERR_BAD_URL: MALFORMED,
  FST_ERR_MAX_PARAM_LENGTH: refuse('notFound'),
  FST_ERR_ASYNC_CONSTRAINT: refuse('notFound'),
};

/** The calls that take a time, which somebody else may take first. */
const TAKING_TIME: ReadonlySet<AnyCall['id']> = new Set([
  'placeHold',
  'createBooking',
  'charge',
  'deskBook',
  'deskMoveAppointment',
  'deskPayAtClinic',
] as const);

/** Maps errors with a meaning to refusals, for all calls. Null means that the error is a bug. */
function refusalOfError(error: unknown, call: AnyCall | undefined): Refusal | null {
  if (error instanceof RefusedBody) return error.refusal;
  if (error instanceof EmrBusy) return refuse('clinicBusy');
  if (error instanceof EmrOffline) return refuse('clinicUnreachable');
  if (error instanceof EmrRefused) return refuse('clinicRefuses');
  if (error instanceof EmrOutcomeUnknown) return refuse('clinicConfirming');
  if (error instanceof CommitOutcomeUnknown) return refuse('serviceBusy');
  // A deadlock that outlasted all retries.
  if (failureOf(error)?.kind === 'retry') return refuse('serviceBusy');
  if (error instanceof DatabaseConflict && call && TAKING_TIME.has(call.id))
    return refuse('slotTaken');
  if (error instanceof DatabaseConflict && call && answersOf(call).has(409))
    return refuse('changedMeanwhile');
  if (error instanceof DatabaseConflict) return null;
  const { code = '', statusCode = 500 } = (error ?? {}) as Partial<FastifyError>;
  // The client's connection ended within the body; Fastify marks that with 400.
  if (code === 'ECONNRESET' && statusCode === 400) return MALFORMED;
  if (failureOf(error)?.kind === 'unavailable') return refuse('serviceBusy');
  const known = refusalOfFramework[code];
  // Folders and paths that @fastify/static refuses to serve.
  return known ?? (statusCode === 403 || statusCode === 404 ? refuse('notFound') : null);
}

function handleErrors(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error, request, reply) =>
    sendRefusal(reply, refusalOf(error, request, log)),
  );
}

/** What the client is told of an error, which the log keeps where it is a bug or the service could not serve. */
export function refusalOf(error: unknown, request: FastifyRequest, log: Log): Refusal {
  const refusal = refusalOfError(error, request.routeOptions.config.call);
  if (refusal === null) log.error('bug', error, placeOf(request));
  else if (refusal.status === 503) log.error(refusal.code, error, placeOf(request));
  return refusal ?? refuse('bug', { reference: request.id });
}

const placeOf = (request: FastifyRequest) => ({
  requestId: request.id,
  route: request.routeOptions.url ?? 'none',
  ...(request.routeOptions.config.call && { call: request.routeOptions.config.call.id }),
});
