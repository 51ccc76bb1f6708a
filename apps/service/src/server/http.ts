import {
  type Call,
  type CallId,
  type CallLimit,
  type FilesShape,
  answersOf,
} from '@clinic/contract';
import { type SetCookie, parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import type { z } from 'zod';
import type { Clock } from './clock.ts';
import { FileAnswer, sendFile } from './file-answer.ts';
import type { MemoryLimit } from './memory-limit.ts';
import { MultipartForm, type UploadedFile } from './multipart.ts';
import type { RateRule } from './rate-limit.ts';
import type { Rates } from './rates.ts';
import { type Input, readInput } from './read-input.ts';
import { Refusal, refuse } from './refusal.ts';
import { serializerFor } from './serialize.ts';
import type { SignedIn, Sessions } from '../security/sessions.ts';

/** What a handler is given: the parsed input, who asks, and the one 'now' of this request. */
export interface Asked<C extends Call> extends Input<C> {
  readonly patient: C['access'] extends 'patient' ? SignedIn : null;
  readonly now: number;
  /** The client's network address, for rate limits only. */
  readonly address: string;
  /** What the client calls itself. */
  readonly userAgent: string;
  /** A cookie of the browser, or null. */
  readonly cookie: (name: string) => string | null;
  /** The JSON as it came, for what is signed over it. */
  readonly rawJson: string;
  /** The session that a dashboard link was exchanged for by this request. */
  readonly exchangedToken: string | null;
  /** Of a call with `files`; their content is not looked at yet (modules/files does). */
  readonly files: C extends { readonly files: FilesShape } ? readonly UploadedFile[] : readonly [];
  /** Whether a call that takes both came as a multipart form rather than as JSON. */
  readonly asForm: boolean;
}

/** Bytes that are the answer already, plain and compressed. */
export class Prepared {
  readonly json: () => Buffer;
  readonly gzipped: () => Promise<Buffer>;
  constructor(ready: { json: () => Buffer; gzipped: () => Promise<Buffer> }) {
    this.json = ready.json;
    this.gzipped = ready.gzipped;
  }
}

/** An answer with which the browser is given a cookie. */
export class WithCookie<Answer> {
  readonly answer: Answer;
  readonly cookie: SetCookie;
  constructor(answer: Answer, cookie: SetCookie) {
    this.answer = answer;
    this.cookie = cookie;
  }
}

export { FileAnswer };

export type Handler<C extends Call> = (
  asked: Asked<C>,
) => Promise<AnswerOf<C> | WithCookie<AnswerOf<C>> | Refusal>;

type AnswerOf<C extends Call> = C extends { readonly download: true }
  ? FileAnswer
  : z.output<C['answer']> | Prepared;

export interface CallHost {
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly pseudonymOf: (patient: SignedIn) => string;
  readonly strictAnswers: boolean;
  readonly memoryLimit: MemoryLimit;
  readonly rates: Rates;
  /** takes the token of a dashboard link in exchange for a session; the auth module brings it. */
  exchangeLink?: (link: ExchangeAsked) => Promise<ExchangedLink | Refusal>;
  /** The calls that have a handler. */
  readonly registered: Map<CallId, Call>;
}

export interface ExchangeAsked {
  readonly token: string;
  readonly now: number;
  readonly address: string;
  readonly userAgent: string;
}

export interface ExchangedLink {
  readonly patient: SignedIn;
  /** The session token that replaces the link's. */
  readonly token: string;
}

declare module 'fastify' {
  interface FastifyInstance {
    callHost: CallHost;
  }
  interface FastifyRequest {
    /** Read once per request (ADR 9). */
    now: number;
    patient: SignedIn | null;
    exchangedToken: string | null;
    /** The JSON body as it came. */
    rawJson: string;
    /** The refusal's code, for the log. */
    refusalCode: string | null;
  }
}

/** Answers a call of the contract. Its path, method and door stand there and nowhere else. */
export function route<C extends Call>(app: FastifyInstance, call: C, handler: Handler<C>): void {
  const host = app.callHost;
  if (host.registered.has(call.id)) throw new Error(`The call ${call.id} has a handler already`);
  host.registered.set(call.id, call);
  const answers = answersOf(call);

  const answering: Omit<RouteOptions, 'url'> = {
    method: call.method,
    config: { call },
    ...(call.bodyLimit === undefined ? {} : { bodyLimit: call.bodyLimit }),
    onRequest: async (request, reply) => {
      const turnedAway = call.access === 'public' ? null : await admit(host, call, request);
      const refusal = turnedAway ?? countUse(host, call, request);
      if (refusal) return sendRefusal(reply, refusal);
    },
    handler: async (request, reply) => {
      const form = request.body instanceof MultipartForm ? request.body : null;
      try {
        const { params, query, headers, body } = request;
        const read = readInput(call, { params, query, headers, body: form?.fields ?? body });
        if (read.kind === 'refused') return await sendRefusal(reply, read.refusal);
        const answer: unknown = await handler({
          ...read.input,
          patient: request.patient as Asked<C>['patient'],
          now: request.now,
          address: request.ip,
          userAgent: request.headers['user-agent'] ?? '',
          cookie: (name) => parseCookie(request.headers.cookie ?? '')[name] ?? null,
          rawJson: request.rawJson,
          exchangedToken: request.exchangedToken,
          files: (form?.files ?? []) as Asked<C>['files'],
          asForm: form !== null,
        });
        return await sendAnswer(request, reply, answer);
      } finally {
        form?.release();
      }
    },
  };
  const url = `/api${call.path}`;
  for (const one of new Set([url, url.replace(/\/$/, '')])) app.route({ ...answering, url: one });

  function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: unknown) {
    if (answer instanceof Refusal) {
      if (!answers.has(answer.status)) undeclared(host, call, answer);
      const { retryAfter = 0 } = answer.details;
      if (answer.status === 429)
        host.memoryLimit.alsoRefused(...countedAs(host, call, request), request.now + retryAfter);
      return sendRefusal(reply, answer);
    }
    if (answer instanceof WithCookie) {
      reply.header('set-cookie', stringifySetCookie(answer.cookie));
      return sendAnswer(request, reply, answer.answer);
    }
    if (answer instanceof Prepared) return sendPrepared(request, reply, answer);
    if (answer instanceof FileAnswer) return sendFile(reply, answer);
    if (host.strictAnswers) call.answer.parse(answer);
    return sendJson(reply, serializerFor(call.answer)(answer));
  }
}

/** Default deny: without a session that may come in, no handler is reached (S-1). */
async function admit(host: CallHost, call: Call, request: FastifyRequest) {
  const token = tokenOf(request);
  const found = token === null ? null : await host.sessions.find(token, request.now);
  if (token === null || found === null || found.kind === 'none')
    return exchange(host, call, request, token);
  if (found.kind === 'notVisible' && call.id !== 'logout') return refuse('notVisible');
  request.patient = found.patient;
  if (request.headers['x-background'] !== '1' || found.patient.unused)
    await host.sessions.touch(found.patient, request.now);
  return null;
}

/** S-5: before the body is read, so that what cannot be read counts too. */
function countUse(host: CallHost, call: Call, request: FastifyRequest): Refusal | null {
  const counted = host.memoryLimit.use(...countedAs(host, call, request), request.now);
  if (counted.kind === 'allowed') return null;
  return refuse('tooManyRequests', { retryAfter: counted.retryAfter });
}

function countedAs(
  { rates }: CallHost,
  call: Call,
  { patient, ip }: FastifyRequest,
): [rule: RateRule, subject: string] {
  const who = patient === null ? `address ${ip}` : `patient ${patient.id}`;
  return [ruleOf(call.limit, rates, patient !== null), `${call.id} ${who}`];
}

function ruleOf(limit: CallLimit, rates: Rates, isSignedIn: boolean): RateRule {
  switch (limit) {
    case 'suggestions':
      return rates.reportProblems;
    case 'failures':
      return rates.saveErrors;
    case 'reads':
    case 'drafts':
      // Whoever types is saved more often than anything else is changed.
      return isSignedIn ? rates.readsPerAccount : rates.readsPerAddress;
    default:
      return isSignedIn ? rates.changesPerAccount : rates.changesPerAddress;
  }
}

/** what is no session may be a dashboard link, which opens `GET /me` alone. */
async function exchange(
  { exchangeLink }: CallHost,
  call: Call,
  request: FastifyRequest,
  token: string | null,
): Promise<Refusal | null> {
  if (token === null || call.id !== 'getMe' || !exchangeLink) return refuse('tokenNotValid');
  const { now, ip: address, headers } = request;
  const exchanged = await exchangeLink({
    token,
    now,
    address,
    userAgent: headers['user-agent'] ?? '',
  });
  if (exchanged instanceof Refusal) return exchanged;
  request.patient = exchanged.patient;
  request.exchangedToken = exchanged.token;
  return null;
}

/** the product's own header first, then the usual one. */
function tokenOf({ headers }: FastifyRequest): string | null {
  const own = headers['x-access-token'];
  if (typeof own === 'string') return own;
  const bearer = /^Bearer ([\w-]+)$/i.exec(headers.authorization ?? '');
  return bearer?.[1] ?? null;
}

function undeclared(host: CallHost, call: Call, { code, status }: Refusal): void {
  if (host.strictAnswers)
    throw new Error(`${call.id} refused with ${code} (${status}), which its contract lacks`);
}

const JSON_TYPE = 'application/json; charset=utf-8';

function sendJson(reply: FastifyReply, json: string | Buffer): FastifyReply {
  return reply.header('content-type', JSON_TYPE).send(json);
}

export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  const { retryAfter } = refusal.details;
  reply.request.refusalCode = refusal.code;
  if (retryAfter !== undefined) reply.header('retry-after', Math.max(1, Math.ceil(retryAfter)));
  return sendJson(reply.code(refusal.status), JSON.stringify(refusal.body));
}

async function sendPrepared(request: FastifyRequest, reply: FastifyReply, ready: Prepared) {
  reply.header('vary', 'accept-encoding');
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(request.headers['accept-encoding'] ?? ''))
    return sendJson(reply, ready.json());
  return sendJson(reply.header('content-encoding', 'gzip'), await ready.gzipped());
}
