import { createHash } from 'node:crypto';
import {
  type AnyCall,
  type Call,
  type CallLimit,
  type FilesShape,
  answersOf,
  isOurs,
} from '@clinic/contract';
import { type InputProblem, inputText } from '@clinic/contract/identity-texts';
import type { Privilege } from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import { type SetCookie, stringifySetCookie } from 'cookie';
import fastJson from 'fast-json-stringify';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import type { UploadedFile } from './multipart.ts';
import type { RateRule, Rates } from './rates.ts';
import { type FieldProblem, JSON_TYPE, Refusal, refuse, said, sendRefusal } from './refusal.ts';
import { type CountUses, type UsesOfRequest, usesOf } from './rate-limit.store.ts';
import type { MemoryLimit } from './memory-limit.ts';
import type { Who } from '../security/audit.store.ts';
import type { SignedIn, SignedInStaff } from '../security/sessions.store.ts';
import { isBackground, letIn } from './doors.ts';
import { type From, subjectOf } from './known.ts';
import { Showing, noteLookAtDesk, whoIs } from './looks.ts';

type Part<C, Key extends string> = C extends { readonly [K in Key]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** What a handler is given: the parsed input, the signed-in person, and the one 'now' of the request. */
export interface RequestContext<C extends AnyCall> {
  readonly params: Part<C, 'params'>;
  readonly query: Part<C, 'query'>;
  readonly headers: Part<C, 'headers'>;
  readonly body: Part<C, 'body'>;
  readonly patient: C['access'] extends 'patient' ? SignedIn : null;
  readonly staff: C['access'] extends { readonly staff: Privilege } ? SignedInStaff : null;
  /** The staff as the trail names them, and when. */
  readonly who: C['access'] extends { readonly staff: Privilege } ? Who : null;
  /** True when nobody may be looking: the page sent the request by itself, or asked for no content. */
  readonly isBackground: boolean;
  readonly now: number;
  /** The language in which the client wants to be answered. */
  readonly locale: Locale;
  /** The client's network, for rate limits only. */
  readonly address: string;
  /** The token in the browser's device cookie; null before its first sign-in. */
  readonly deviceToken: string | null;
  /** Counts what the call begins against limits that all processes share. */
  readonly countUses: CountUses;
  /** What the client calls itself. */
  readonly userAgent: string;
  /** The cookies of the browser, as it sent them. */
  readonly cookies: string | undefined;
  /** The JSON body as it came, for signatures over it. */
  readonly rawJson: string;
  /** The session that a dashboard link was exchanged for by this request. */
  readonly exchangedToken: string | null;
  /** The files of a call with `files`; modules/documents checks their content later. */
  readonly files: C extends { readonly files: FilesShape } ? readonly UploadedFile[] : readonly [];
  /** True when a call that takes form and JSON was sent a multipart form. */
  readonly asForm: boolean;
}

type Input<C extends AnyCall> = Pick<RequestContext<C>, 'params' | 'query' | 'headers' | 'body'>;

/** An answer that is in bytes already, plain and compressed. */
export class Prepared {
  readonly ready: { readonly json: () => Buffer; readonly gzipped: () => Promise<Buffer> };
  constructor(ready: Prepared['ready']) {
    this.ready = ready;
  }
}

/** An answer that also sets cookies in the browser. */
export class WithCookie<Answer> {
  readonly answer: Answer;
  readonly cookies: readonly SetCookie[];
  constructor(answer: Answer, ...cookies: readonly SetCookie[]) {
    this.answer = answer;
    this.cookies = cookies;
  }
}

/** The answer of a call with `download`: a file. */
export class FileAnswer {
  /** In the file's name, runs of characters other than letters, digits, dots and dashes become a dash. */
  readonly file: { readonly mediaType: string; readonly name: string; readonly bytes: Uint8Array };
  constructor(file: FileAnswer['file']) {
    this.file = file;
  }
}

export type Handler<C extends AnyCall> = (
  context: RequestContext<C>,
) => Promise<
  | Refusal
  | (C extends { readonly shows: 'patients' }
      ? Showing<AnswerOf<C> | Refusal>
      : AnswerOf<C> | WithCookie<AnswerOf<C>>)
>;

type AnswerOf<C extends AnyCall> = C extends { readonly download: readonly string[] }
  ? FileAnswer
  : z.output<C['answer']> | Prepared;

/** What all calls of an application share. */
export interface CallHost {
  readonly memoryLimit: MemoryLimit;
  /** exchanges the token of a dashboard link for a session; the patients module sets it. */
  exchangeLink?: (link: LinkRequest) => Promise<ExchangedLink | Refusal>;
  /** S-18: finds who of the staff asks; null when a call needs no session. Set by the staff module. */
  admitStaff?: (call: AnyCall, request: FastifyRequest) => Promise<SignedInStaff | Refusal | null>;
  /** The calls that have a handler. */
  readonly registered: Map<AnyCall['id'], AnyCall>;
}

export type LinkRequest = Pick<RequestContext<Call>, 'now' | 'userAgent'> & {
  readonly from: From;
  readonly token: string;
};

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
    /** The code in the answer, such as `booked`, for the metrics. */
    answerCode: string | null;
    patient: SignedIn | null;
    staff: SignedInStaff | null;
    exchangedToken: string | null;
    uses: UsesOfRequest | null;
  }
}

/** Registers the handler of a contract call, which alone defines path, method and who may call it. */
export function route<C extends AnyCall>(app: FastifyInstance, call: C, handler: Handler<C>): void {
  const host = app.callHost;
  if (host.registered.has(call.id)) throw new Error(`The call ${call.id} has a handler already`);
  host.registered.set(call.id, call);

  const answering: Omit<RouteOptions, 'url'> = {
    // In place of Fastify's own HEAD, which gives a 304 a length.
    method: call.method === 'GET' ? ['GET', 'HEAD'] : call.method,
    config: { call },
    ...(call.bodyLimit === undefined ? {} : { bodyLimit: call.bodyLimit }),
    onRequest: async (request, reply) => {
      request.uses = usesOf(app.platform, request.now);
      const refusal =
        (await letIn(call, request)) ??
        // S-5: counted before the body is read, so that requests with an unreadable body count, too.
        request.uses.inMemory(host.memoryLimit, ...countedAs(call, request));
      if (refusal) return sendRefusal(reply, refusal);
    },
    onSend: async (request, reply) => {
      if (reply.statusCode === 503) request.uses?.unanswered();
    },
    handler: async (request, reply) => {
      const { form, uses } = request;
      if (uses === null) throw new Error('A request that was not let in');
      try {
        const input = readInput(call, request);
        if (input instanceof Refusal) return await sendRefusal(reply, input);
        const answer: unknown = await handler({
          ...input,
          patient: request.patient as RequestContext<C>['patient'],
          staff: request.staff as RequestContext<C>['staff'],
          who: (request.staff && whoIs(request.staff, request.now)) as RequestContext<C>['who'],
          isBackground: isBackground(request),
          now: request.now,
          locale: request.locale,
          address: request.from.network,
          deviceToken: request.from.device,
          countUses: uses.count,
          userAgent: request.headers['user-agent'] ?? '',
          cookies: request.headers.cookie,
          rawJson: request.rawJson,
          exchangedToken: request.exchangedToken,
          files: (form?.files ?? []) as RequestContext<C>['files'],
          asForm: form !== null,
        });
        return await sendAnswer(call, reply, answer);
      } finally {
        form?.release();
      }
    },
  };
  const url = `/api${call.path}`;
  for (const one of new Set([url, url.replace(/\/$/, '')])) app.route({ ...answering, url: one });
}

function countedAs(
  call: AnyCall,
  { server, patient, staff, from }: FastifyRequest,
): [rule: RateRule, subject: string] {
  const own = patient ?? staff;
  const who = own === null ? subjectOf(from) : `${own === staff ? 'staff' : 'patient'} ${own.id}`;
  return [ruleOf(call.limit, server.platform.config.rates, own !== null), `${call.id} ${who}`];
}

function ruleOf(limit: CallLimit, rates: Rates, isSignedIn: boolean): RateRule {
  switch (limit) {
    case 'tokens':
      return rates.tokensPerAddress;
    case 'suggestions':
      return rates.reportProblems;
    case 'failures':
      return rates.saveErrors;
    case 'reads':
    case 'drafts':
      // While a person types, their draft is saved more often than anything else is changed.
      return isSignedIn ? rates.readsPerAccount : rates.readsPerAddress;
    default:
      return isSignedIn ? rates.changesPerAccount : rates.changesPerAddress;
  }
}

/** Parses the input, or refuses with everything that is wrong at once, each problem with its field. */
function readInput<C extends AnyCall>(call: C, request: FastifyRequest): Input<C> | Refusal {
  const problems: FieldProblem[] = [];
  const read: Record<string, unknown> = {};
  for (const part of ['params', 'query', 'headers', 'body'] as const) {
    const sent = part === 'query' ? withValues(call, request.query) : request[part];
    const parsed = call[part]?.safeParse(sent === undefined ? {} : sent);
    if (parsed?.success) read[part] = parsed.data;
    else if (parsed) problems.push(...parsed.error.issues.flatMap(problemsOf));
    else if (part === 'body') problems.push(...fieldsOf(call, sent).map(unknownField));
  }
  if (call.idempotency === 'key' && lacksKeyOfOurs(request))
    problems.push(invalidField('idempotency-key'));
  if (problems.length === 0) return read as unknown as Input<C>;
  const byField = new Map(problems.map((problem) => [problem.field, problem]));
  return refuse('invalidInput', { errors: [...byField.values()].slice(0, MOST_PROBLEMS) });
}

const MOST_PROBLEMS = 50;

/**
 * Drops parameters without a value, as in `?limit&skip` of the specification's message list: they ask for
 * nothing. In calls of ours an empty value is a value.
 */
const withValues = (call: AnyCall, query: unknown) =>
  isOurs(call)
    ? query
    : Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ''));

/** pages of ours must send an idempotency key; for other clients the key is optional. */
const lacksKeyOfOurs = ({ headers }: FastifyRequest) =>
  headers['sec-fetch-site'] === 'same-origin' && headers['idempotency-key'] === undefined;

const invalidField = (field: string) => ({ field, message: said('invalidField') });
const unknownField = (field: string) => ({
  field: field.slice(0, 200),
  message: said('unknownField'),
});

function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownField([...issue.path, key].map(String).join('.')));
  const field = issue.path.map(String).join('.').slice(0, 200) || 'body';
  if (issue.code === 'too_big' && issue.origin === 'string')
    return [{ field, message: said('textTooLong', { most: Number(issue.maximum) }) }];
  const problem = issue.code === 'custom' && (issue.params?.problem as InputProblem | undefined);
  return [
    problem
      ? { field, message: (locale) => inputText(locale, field, problem) }
      : invalidField(field),
  ];
}

function fieldsOf(call: AnyCall, body: unknown): string[] {
  if (body === undefined || (body === null && !isOurs(call))) return [];
  return typeof body === 'object' && body !== null && !Array.isArray(body)
    ? Object.keys(body)
    : ['body'];
}

async function sendAnswer(
  call: AnyCall,
  reply: FastifyReply,
  answer: unknown,
  isNoted = false,
): Promise<FastifyReply> {
  const { platform, callHost } = reply.server;
  const { strictAnswers } = platform.config;
  if (answer instanceof Refusal) {
    const { code, status, details } = answer;
    if (strictAnswers && !answersOf(call).has(status))
      throw new Error(`${call.id} refused with ${code} (${status}), which its contract lacks`);
    const { request } = reply;
    if (status === 429)
      callHost.memoryLimit.alsoRefused(
        ...countedAs(call, request),
        request.now + (details.retryAfter ?? 0),
      );
    return sendRefusal(reply, answer);
  }
  if (answer instanceof Showing) {
    const { staff, now } = reply.request;
    if (staff === null) throw new Error(`${call.id} shows patients to nobody of the staff`);
    const isBackgroundLook = isBackground(reply.request);
    await noteLookAtDesk(platform, answer.look, { staff, isBackground: isBackgroundLook, now });
    return sendAnswer(call, reply, answer.answer, true);
  }
  if (call.shows === 'patients' && !isNoted)
    throw new Error(`${call.id} shows patients whom the trail does not name`);
  if (answer instanceof WithCookie) {
    for (const each of answer.cookies) reply.header('set-cookie', stringifySetCookie(each));
    return sendAnswer(call, reply, answer.answer);
  }
  if (answer instanceof Prepared) return sendPrepared(reply, answer);
  if (answer instanceof FileAnswer) return sendFile(reply, answer);
  if (strictAnswers) call.answer.parse(answer);
  if (strictAnswers && reply.request.uses?.areWaiting())
    throw new Error(`${call.id} has done what it counts, and never said that it had begun`);
  reply.request.answerCode = codeIn(answer);
  const json = serializerFor(call.answer)(answer);
  return call.tagged ? sendTagged(reply, json) : sendJson(reply, json);
}

function codeIn(answer: unknown): string | null {
  const { extras } = (answer ?? {}) as { readonly extras?: { readonly code?: unknown } };
  return typeof extras?.code === 'string' ? extras.code : null;
}

function sendJson(reply: FastifyReply, json: string | Buffer): FastifyReply {
  return reply.header('content-type', JSON_TYPE).send(json);
}

async function sendPrepared(reply: FastifyReply, { ready }: Prepared): Promise<FastifyReply> {
  const accepted = reply.request.headers['accept-encoding'] ?? '';
  reply.header('vary', 'accept-encoding');
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted))
    return sendJson(reply, ready.json());
  return sendJson(reply.header('content-encoding', 'gzip'), await ready.gzipped());
}

/** Sends an ETag that the browser revalidates each time, so that it never shows outdated data. */
function sendTagged(reply: FastifyReply, json: string): FastifyReply {
  const tag = `W/"${createHash('sha256').update(json).digest('base64url').slice(0, 22)}"`;
  reply.headers({ etag: tag, 'cache-control': 'no-cache' });
  const known = (reply.request.headers['if-none-match'] ?? '').split(',');
  return known.some((each) => each.trim() === tag) ? reply.code(304).send() : sendJson(reply, json);
}

/** S-4: a download, never shown in the page; wherever it is opened from, nothing in it runs or loads. */
function sendFile(reply: FastifyReply, { file }: FileAnswer): FastifyReply {
  const { mediaType, name, bytes } = file;
  return reply
    .headers({
      'content-type': mediaType,
      'content-disposition': `attachment; filename="${name.replace(/[^\w.-]+/g, '-').slice(-100)}"`,
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    })
    .send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

const made = new WeakMap<z.ZodType, (value: unknown) => string>();

/**
 * The JSON serializer of a contract shape, made at its first use. It leaves out fields that the shape does
 * not name (ADR 3).
 */
export function serializerFor(schema: z.ZodType): (value: unknown) => string {
  let serialize = made.get(schema);
  if (!serialize) {
    const json = z.toJSONSchema(schema, {
      target: 'draft-7',
      io: 'output',
      override: ({ jsonSchema }) => withoutChecks(jsonSchema),
    });
    serialize = fastJson(json as Parameters<typeof fastJson>[0]);
    made.set(schema, serialize);
  }
  return serialize;
}

/** Schema keywords that only validate, which costs time here. The limits are checked on input. */
const CHECKS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'pattern',
  'minLength',
  'maxLength',
  'format',
  'maxItems',
  'propertyNames',
  'default',
] as const;

/** Turns `X | null` into a nullable X: with `anyOf`, the serializer would validate before it writes. */
function withoutChecks(json: z.core.JSONSchema.BaseSchema): void {
  for (const check of CHECKS) delete json[check];
  const [only, none, ...more] = json.anyOf ?? [];
  if (only === undefined || none?.type !== 'null' || more.length > 0) return;
  delete json.anyOf;
  Object.assign(json, only, { nullable: true });
}
