import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** The kinds of work that take time and may fail. */
const KINDS = [
  'request',
  'job',
  'statement',
  /** Waiting for a connection to the database. */
  'connection',
  'emr',
  'gateway',
  /** From an event at the card gateway until its webhook arrives. */
  'webhook',
  'mail',
] as const;
export type Kind = (typeof KINDS)[number];

/** One piece of observed work. Its name is a constant: it holds nothing of a patient. */
export interface Operation {
  readonly name: string;
  readonly startedAt: number;
  /** Set once the operation failed. */
  error?: unknown;
  /** Set at the end of a request. */
  facts?: Readonly<Record<string, string | number>>;
}

/** Metrics and traces subscribe to these; without a subscriber an operation costs one check. */
export const channels = Object.fromEntries(
  KINDS.map((kind) => [kind, tracingChannel(`clinic:${kind}`)]),
) as Readonly<Record<Kind, TracingChannel<unknown, Operation>>>;

const named = (name: string): Operation => ({ name, startedAt: performance.now() });

export const secondsSince = ({ startedAt }: Operation): number =>
  (performance.now() - startedAt) / 1000;

function end(kind: Kind, operation: Operation, error: unknown): void {
  if (error !== undefined && error !== null) operation.error = error;
  channels[kind].asyncEnd.publish(operation);
}

const nobodyListens = () => undefined;

/** Begins an operation that nothing observed runs inside of; call the returned function at its end. */
export function begins(kind: Kind, name: () => string): (error?: unknown) => void {
  if (!channels[kind].hasSubscribers) return nobodyListens;
  const operation = named(name());
  channels[kind].start.publish(operation);
  return (error) => end(kind, operation, error);
}

/** Reports an operation that began elsewhere, so many seconds ago, and ends now. */
export function endsOutside(kind: Kind, name: string, secondsAgo: number): void {
  const startedAt = performance.now() - secondsAgo * 1000;
  channels[kind].asyncEnd.publish({ name, startedAt });
}

/** Runs the work as an operation; operations that begin during it belong to it. */
export function observed<Answer>(kind: Kind, name: string, work: () => Answer): Answer {
  if (!channels[kind].hasSubscribers) return work();
  const operation = named(name);
  return channels[kind].start.runStores(operation, () => {
    try {
      const answer = work();
      if (answer instanceof Promise)
        answer.then(
          () => end(kind, operation, null),
          (error: unknown) => end(kind, operation, error),
        );
      else end(kind, operation, null);
      return answer;
    } catch (error) {
      end(kind, operation, error);
      throw error;
    }
  });
}

/** Wraps a port so that each of its calls is an operation named after the method. */
export function observedPort<Port extends object>(kind: Kind, port: Port): Port {
  if (!channels[kind].hasSubscribers) return port;
  return new Proxy(port, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) =>
        observed(kind, String(key), () => Reflect.apply(value, target, given) as unknown);
    },
  });
}

/** Makes each request an operation, from its first hook to its last. Call it before other hooks are added. */
export function observeRequests(app: FastifyInstance): void {
  if (!channels.request.hasSubscribers) return;
  const underWay = new WeakMap<FastifyRequest, Operation>();
  app.addHook('onRequest', (request, _reply, done) => {
    const operation = named(`${request.method} ${request.routeOptions.url ?? 'none'}`);
    underWay.set(request, operation);
    channels.request.start.runStores(operation, done);
  });
  app.addHook('onResponse', async (request, reply) => {
    const operation = underWay.get(request);
    if (operation === undefined) return;
    const { routeOptions, method, id, refusalCode } = request;
    operation.facts = {
      'http.request.method': method,
      'http.route': routeOptions.url ?? 'none',
      'http.response.status_code': reply.statusCode,
      'clinic.request_id': id,
      ...(refusalCode !== null && { 'clinic.refusal': refusalCode }),
    };
    end('request', operation, null);
  });
}
