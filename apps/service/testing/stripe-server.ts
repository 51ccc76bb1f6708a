import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PracticeCard } from '@clinic/domain';
import {
  type FaultSwitch,
  type GatewayCall,
  type SignedEvent,
  signWebhook,
} from '@clinic/practice/payments/practice-gateway.ts';
import type { LedgerCommand, LedgerIntent } from '@clinic/practice/payments/ledger.ts';
import { enter } from '@clinic/practice/payments/ledger.ts';
import { type ApiAnswer, entryAnswer, intentJson, refusedJson } from './stripe-json.ts';

/** Stripe's own names of test cards. */
const CARDS: Readonly<Record<string, PracticeCard>> = {
  pm_card_visa: 'succeeds',
  pm_card_threeDSecure2Required: 'needsBank',
  pm_card_chargeDeclined: 'declined',
  pm_card_chargeDeclinedInsufficientFunds: 'insufficient',
  pm_card_chargeDeclinedExpiredCard: 'expired',
};

export interface StripeServer {
  readonly port: number;
  readonly secretKey: string;
  readonly webhookSecret: string;
  decide(intent: string, approved: boolean): void;
  signedEvents(now: number): SignedEvent[];
  runStalled(): void;
  /** Raw requests as they came, for tests that look for card numbers. */
  readonly requests: readonly { readonly line: string; readonly body: string }[];
  stop(): Promise<void>;
}

export interface StripeServerOptions {
  readonly now: () => number;
  readonly faults?: FaultSwitch;
}

interface Route {
  readonly call: GatewayCall;
  readonly intent: string | null;
}

/**
 * A local server that speaks Stripe's API format: form-encoded requests, idempotency keys that
 * repeat errors too, `next_action.redirect_to_url`, signed events. Its books live in memory.
 */
export async function startStripeServer(options: StripeServerOptions): Promise<StripeServer> {
  const { now, faults = () => null } = options;
  const secretKey = 'sk_test_local';
  const webhookSecret = 'whsec_local';
  const intents = new Map<string, LedgerIntent>();
  const keys = new Map<string, { request: string; answer: ApiAnswer }>();
  const events: { id: string; type: string; intent: string; created: number }[] = [];
  const stalled: (() => void)[] = [];
  let broken: string | null = null;
  const requests: { line: string; body: string }[] = [];

  function write(command: LedgerCommand, id: string | null): ApiAnswer {
    const before = id === null ? null : (intents.get(id) ?? null);
    const entry = enter(command, before, { id: `pi_local${intents.size + 1}`, now: now() });
    if (entry.intent) intents.set(entry.intent.id, entry.intent);
    if (entry.intent && entry.event !== null)
      events.push({
        id: `evt_local${events.length + 1}`,
        type: entry.event,
        intent: entry.intent.id,
        created: now(),
      });
    return entryAnswer(command.kind, entry);
  }

  function writeUnderKey(key: string | null, request: string, work: () => ApiAnswer) {
    const known = key === null ? undefined : keys.get(key);
    if (known) {
      if (known.request !== request) return refusedJson(400, 'idempotency_error', 'Key reused');
      return { ...known.answer, replayed: true };
    }
    const answer = work();
    if (key !== null) keys.set(key, { request, answer });
    return answer;
  }

  function read(route: Route, query: URLSearchParams): ApiAnswer {
    if (route.intent !== null) {
      const intent = intents.get(route.intent);
      return intent
        ? { status: 200, body: intentJson(intent, port) }
        : refusedJson(404, 'resource_missing', 'No such payment_intent');
    }
    const from = Number(query.get('created[gte]') ?? 0);
    const all = [...intents.values()].toReversed().filter(({ createdAt }) => createdAt >= from);
    const after = all.findIndex(({ id }) => id === query.get('starting_after'));
    const limit = Number(query.get('limit') ?? 10);
    const page = all.slice(after + 1, after + 1 + limit);
    return {
      status: 200,
      body: {
        object: 'list',
        url: '/v1/payment_intents',
        has_more: all.length > after + 1 + limit,
        data: page.map((intent) => intentJson(intent, port)),
      },
    };
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://local');
    const body = await bodyOf(request);
    requests.push({ line: `${request.method} ${request.url}`, body });
    if (request.headers.authorization !== `Bearer ${secretKey}`)
      return answer(response, refusedJson(401, 'api_key_invalid', 'Invalid API Key'));
    const form = new URLSearchParams(body);
    const route = routeOf(request.method ?? '', url.pathname, form);
    if (route === null)
      return answer(response, refusedJson(404, 'url_invalid', 'Unrecognized URL'));
    const header = request.headers['idempotency-key'];
    const key = typeof header === 'string' ? header : null;
    // The SDK repeats a call at once when its connection broke: the repetition meets the same fate.
    const fault = key !== null && key === broken ? 'dropBefore' : faults(route.call);
    broken = key !== broken && (fault === 'dropBefore' || fault === 'dropAfter') ? key : null;
    if (fault === 'tooMany')
      return answer(response, refusedJson(429, 'rate_limit', 'Too many requests'));
    if (request.method === 'GET') {
      if (fault === null) return answer(response, read(route, url.searchParams));
      return void request.socket.destroy();
    }
    if (request.headers['content-type'] !== 'application/x-www-form-urlencoded')
      return answer(response, refusedJson(400, 'content_type', 'Not a form'));
    const command = commandOf(route.call, form);
    const effect = () =>
      writeUnderKey(key, `${url.pathname}?${body}`, () => write(command, route.intent));
    const failed = refusedJson(500, 'api_error', 'Something went wrong');
    switch (fault) {
      case 'dropBefore':
        return void request.socket.destroy();
      case 'dropAfter':
        effect();
        return void request.socket.destroy();
      case 'stall':
        return void stalled.push(() => void effect());
      case 'error500':
        return answer(
          response,
          writeUnderKey(key, `${url.pathname}?${body}`, () => failed),
        );
      case 'error500After':
        return answer(
          response,
          writeUnderKey(key, `${url.pathname}?${body}`, () => {
            write(command, route.intent);
            return failed;
          }),
        );
      case null:
        return answer(response, effect());
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  // A client of the same process, whose thread was long at work, could meet a connection that closes just then.
  server.keepAliveTimeout = 0;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    port,
    secretKey,
    webhookSecret,
    requests,
    decide: (intent, approved) => void write({ kind: 'bank', approved }, intent),
    signedEvents: (at) =>
      events.map((event) => {
        const body = JSON.stringify({
          id: event.id,
          object: 'event',
          type: event.type,
          created: event.created,
          livemode: false,
          data: { object: { id: event.intent, object: 'payment_intent' } },
        });
        return { body, signature: signWebhook(webhookSecret, body, at) };
      }),
    runStalled: () => {
      for (const effect of stalled.splice(0)) effect();
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function routeOf(method: string, path: string, form: URLSearchParams): Route | null {
  const [, id = null, action] = /^\/v1\/payment_intents(?:\/(\w+)(?:\/(\w+))?)?$/.exec(path) ?? [];
  if (method === 'POST' && path === '/v1/refunds')
    return { call: 'refund', intent: form.get('payment_intent') };
  if (!path.startsWith('/v1/payment_intents')) return null;
  if (method === 'GET') return { call: id === null ? 'list' : 'retrieve', intent: id };
  if (id === null) return { call: 'create', intent: null };
  return action === 'confirm' || action === 'capture' || action === 'cancel'
    ? { call: action, intent: id }
    : null;
}

function commandOf(call: GatewayCall, form: URLSearchParams): LedgerCommand {
  const card = CARDS[form.get('payment_method') ?? ''] ?? null;
  switch (call) {
    case 'create':
      if (form.get('capture_method') !== 'manual' || form.get('confirm') !== 'true')
        throw new Error('An intent is authorised and confirmed at once');
      return {
        kind: 'create',
        payment: form.get('metadata[payment]'),
        amountCents: Number(form.get('amount')),
        currency: form.get('currency') ?? '',
        card,
      };
    case 'confirm':
      return { kind: 'confirm', card };
    case 'capture':
      return { kind: 'capture', amountCents: Number(form.get('amount_to_capture')) };
    case 'refund':
      return { kind: 'refund', amountCents: Number(form.get('amount')) };
    case 'cancel':
      return { kind: 'cancel' };
    case 'retrieve':
    case 'list':
      throw new Error(`${call} is no write`);
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

function answer(response: ServerResponse, { status, body, replayed }: ApiAnswer): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': 'req_local',
    ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
  });
  response.end(JSON.stringify(body));
}
