import { ENGLISH } from '@clinic/texts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { subjectOf } from './known-browser.ts';
import { JSON_TYPE, MALFORMED, type Refusal, refuse } from './refusal.ts';

/** Writes answers to connections whose bytes never became a request; the connection ends with it. */
type AnswerConnection = (socket: Duplex, refusal: Refusal, status?: number) => void;

export const answerConnections =
  (headersNow: () => Readonly<Record<string, string>>): AnswerConnection =>
  (socket, refusal, status = refusal.status) => {
    if (!socket.writable) return void socket.destroy();
    const body = JSON.stringify(refusal.bodyIn(ENGLISH.id));
    const headers = {
      ...headersNow(),
      'content-type': JSON_TYPE,
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  };

/** What the parser makes of bytes that are no request, or come too slowly. */
const STATUS_OF_PARSER: Readonly<Record<string, readonly [Refusal, number]>> = {
  HPE_HEADER_OVERFLOW: [refuse('tooLarge'), 431],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [refuse('tooLarge'), 413],
  ERR_HTTP_REQUEST_TIMEOUT: [MALFORMED, 408],
};

export const answerParser =
  (answer: AnswerConnection) =>
  (error: Error & { readonly code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const [refusal, status] = STATUS_OF_PARSER[error.code ?? ''] ?? [MALFORMED, 400];
    answer(socket, refusal, status);
  };

/**
 * Takes over what Node and Fastify would answer by themselves, without our headers. The returned function
 * says why a request that came whole is answered at once.
 */
export function answerBeforeRoutes(
  app: FastifyInstance,
  answer: AnswerConnection,
): (request: FastifyRequest) => Refusal | null {
  const { server } = app;
  server.on('connect', (_request: IncomingMessage, socket: Duplex) =>
    answer(socket, refuse('methodNotAllowed')),
  );
  // An expectation that nobody knows is ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    server.emit('request', request, response),
  );
  let isClosing = false;
  app.addHook('preClose', async () => {
    isClosing = true;
  });
  noteMethods(app);
  return ({ raw, headers }) => {
    if (isClosing) return refuse('serviceBusy');
    return raw.httpVersion !== '1.0' && headers.host === undefined ? MALFORMED : null;
  };
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The methods that the routes of a path take. */
    methodsAt: (path: string) => readonly string[];
  }
}

/** Matches the paths of a route or a page: `:name` is one part of a path, `:name?` one that may be missing. */
export const pathPattern = (route: string, end = ''): RegExp => {
  const parts = route
    .replaceAll('.', '\\.')
    .replaceAll(/\/:\w+\?/g, '(/[^/]+)?')
    .replaceAll(/:\w+/g, '[^/]+');
  return new RegExp(`^${parts}${end}$`);
};

/** Notes every route, so that a path can say what it takes. */
function noteMethods(app: FastifyInstance): void {
  const routes: { readonly url: string; readonly methods: readonly string[] }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    if (!url.includes('*')) routes.push({ url, methods: [method].flat() });
  });
  // Made at the first refusal: most processes need none for long.
  let matchers: { readonly path: RegExp; readonly methods: readonly string[] }[] | null = null;
  app.decorate('methodsAt', (path) => {
    matchers ??= routes.map(({ url, methods }) => ({
      path: pathPattern(url),
      methods,
    }));
    const own = matchers.filter((each) => each.path.test(path));
    return [...new Set(own.flatMap(({ methods }) => methods))].sort();
  });
}

/** S-5: counts a request that no route takes, as a request without a session and apart from every call. */
export function countUnrouted({ server, from, now }: FastifyRequest): Refusal | null {
  const { callHost, platform } = server;
  return callHost.memoryLimit.use(
    platform.config.rates.readsPerAddress,
    `no route ${subjectOf(from)}`,
    now,
  );
}
