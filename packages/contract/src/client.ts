import { routes, type CallId } from './routes.ts';
import type { AnyCall, CallAnswer, CallInput, ApiRefusal } from './index.ts';

type AnyCallId = AnyCall['id'];

export interface ClientOptions {
  /** Usually `/api`. */
  readonly base: string;
  readonly fetch: typeof fetch;
  /** Headers for every call, such as the access token. */
  readonly headers: () => Record<string, string>;
  /** Sees every response, to set the clock and to notice ended sessions. */
  readonly onAnswer?: (response: Response) => void;
}

/** What came back: the answer, a refusal with its status, or nothing at all. */
export type CallResult<Id extends AnyCallId> =
  | { readonly kind: 'answer'; readonly answer: CallAnswer<Id> }
  | { readonly kind: 'refusal'; readonly status: number; readonly refusal: ApiRefusal | null }
  | { readonly kind: 'unreachable' };

export interface AskOptions {
  readonly signal?: AbortSignal;
  /** A refetch that the user did not ask for: it must not keep the session alive. */
  readonly background?: boolean;
  /** The browser sends the request even if the user leaves the page. */
  readonly keepalive?: boolean;
  /** Milliseconds after which the call is given up as unreachable; a minute by default. */
  readonly patienceMs?: number;
  /** The answer is a file: it comes as a Blob. */
  readonly isFile?: boolean;
  /** In place of the client's, for a sender that tells its progress. */
  readonly fetch?: typeof fetch;
}

interface AnyInput {
  readonly params?: Record<string, string | number>;
  readonly query?: Record<string, string | number | undefined>;
  readonly headers?: Record<string, string | number | undefined>;
  readonly body?: unknown;
}

export type Client<Ids extends AnyCallId = CallId> = <Id extends Ids>(
  id: Id,
  input: CallInput<Id>,
  options?: AskOptions,
) => Promise<CallResult<Id>>;

/** Long enough for a charge, which calls the card company twice. */
const MINUTE_MS = 60_000;

/** The patients' calls. */
export const createClient = (options: ClientOptions): Client => clientOver<CallId>(routes, options);

type Routes<Ids extends string> = Readonly<Record<Ids, readonly [string, string, unknown]>>;

/**
 * A typed fetch over a route table, without schemas: only the service and the tests have those. A call with a
 * `signal` has no timeout; only the owner of the signal ends it.
 */
export function clientOver<Ids extends AnyCallId>(
  table: Routes<Ids>,
  { base, fetch, headers, onAnswer }: ClientOptions,
): Client<Ids> {
  return async <Id extends Ids>(
    id: Id,
    input: CallInput<Id>,
    options: AskOptions = {},
  ): Promise<CallResult<Id>> => {
    const [method, path] = table[id];
    const parts: AnyInput = input;
    const sent = parts.body instanceof FormData ? parts.body : JSON.stringify(parts.body);
    let response: Response;
    let content: string | Blob;
    try {
      response = await (options.fetch ?? fetch)(base + address(path, parts), {
        method,
        cache: 'no-store',
        headers: {
          ...headers(),
          ...(options.background ? { 'x-background': '1' } : {}),
          ...(typeof sent === 'string' ? { 'content-type': 'application/json' } : {}),
          ...asText(parts.headers),
        },
        ...(sent === undefined ? {} : { body: sent }),
        signal: options.signal ?? AbortSignal.timeout(options.patienceMs ?? MINUTE_MS),
        keepalive: options.keepalive === true,
      });
      onAnswer?.(response);
      content = await (options.isFile && response.ok ? response.blob() : response.text());
    } catch (error) {
      if (options.signal?.aborted) throw error;
      return { kind: 'unreachable' };
    }
    const body = typeof content === 'string' ? parsed(content) : content;
    // With a success status a proxy must have answered, so it counts as a 502.
    if (body === undefined)
      return { kind: 'refusal', status: response.ok ? 502 : response.status, refusal: null };
    if (response.ok) return { kind: 'answer', answer: body as CallAnswer<Id> };
    return { kind: 'refusal', status: response.status, refusal: isRefusal(body) ? body : null };
  };
}

/** Undefined where it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function address(path: string, { params = {}, query = {} }: AnyInput): string {
  const filled = filledPath(path, params);
  const search = new URLSearchParams(asText(query)).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/** Fills the parameters into a path of the route table. */
export function filledPath(path: string, params: Record<string, string | number>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

function asText(values: Record<string, string | number | undefined> = {}): Record<string, string> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, String(value)]));
}

export function isRefusal(body: unknown): body is ApiRefusal {
  return typeof body === 'object' && body !== null && 'success' in body && 'extras' in body;
}
