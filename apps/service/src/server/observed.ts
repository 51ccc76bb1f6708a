import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** What the service does that takes time and may fail. */
const KINDS = [
  'request',
  'job',
  'statement',
  /** Waiting for a connection to the database. */
  'connection',
  'emr',
  'gateway',
  /** From what happened at the card gateway until it is told. */
  'webhook',
  'mail',
] as const;
export type Kind = (typeof KINDS)[number];

/** One of them. Its name is a constant of ours: nothing of a patient stands in it. */
export interface Operation {
  readonly name: string;
  readonly startedAt: number;
  /** Once it failed. */
  error?: unknown;
  /** What is known at the end of a request. */
  facts?: Readonly<Record<string, string | number>>;
}

/** Whoever counts or traces subscribes; without anybody an operation costs one look. */
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

/** Begins an operation that does nothing observed itself; call what is returned at its end. */
export function begins(kind: Kind, name: () => string): (error?: unknown) => void {
  if (!channels[kind].hasSubscribers) return nobodyListens;
  const operation = named(name());
  channels[kind].start.publish(operation);
  return (error) => end(kind, operation, error);
}

/** What began outside so long ago ends now. */
export function endsOutside(kind: Kind, name: string, secondsAgo: number): void {
  const startedAt = performance.now() - secondsAgo * 1000;
  channels[kind].asyncEnd.publish({ name, startedAt });
}

/** Does it; what is observed meanwhile belongs to it. */
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

/** A port whose calls are observed, by their names. */
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

/** A request is under way from its first hook to its last. Hooks of others come after. */
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
