import { type AnyCall, type Call, type CallLimit, type FilesShape, isOurs } from '@clinic/contract';
import { type InputProblem, inputText } from '@clinic/contract/identity-texts';
import type { Privilege } from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { z } from 'zod';
import type { UploadedFile } from './multipart.ts';
import type { RateRule, Rates } from './rates.ts';
import { type FileAnswer, type Prepared, type WithCookie, sendAnswer } from './responses.ts';
import { type FieldProblem, Refusal, localized, refuse, sendRefusal } from './refusal.ts';
import { type CountUses, type UsesOfRequest, usesOf } from './rate-limit.store.ts';
import { refusalOf } from './requests.ts';
import type { MemoryLimit } from './memory-limit.ts';
import type { Who } from '../security/audit.store.ts';
import type { SignedIn, SignedInStaff } from '../security/sessions.store.ts';
import { isBackground, authorize } from './authorize.ts';
import { type From, subjectOf } from './known-browser.ts';
import { type Showing, whoIs } from './audited-reads.ts';

type Parsed<C, Key extends string> = C extends { readonly [K in Key]: infer S extends z.ZodType }
  ? z.output<S>
  : undefined;

/** What a handler is given: the parsed input, the signed-in person, and the one 'now' of the request. */
export interface RequestContext<C extends AnyCall> {
  readonly params: Parsed<C, 'params'>;
  readonly query: Parsed<C, 'query'>;
  readonly headers: Parsed<C, 'headers'>;
  readonly body: Parsed<C, 'body'>;
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

export type Handler<C extends AnyCall, Ahead = undefined> = (
  context: RequestContext<C>,
  ahead: Ahead,
) => Promise<
  | Refusal
  | (C extends { readonly shows: 'patients' }
      ? Showing<AnswerOf<C> | Refusal>
      : AnswerOf<C> | WithCookie<AnswerOf<C>>)
>;

type AnswerOf<C extends AnyCall> = C extends { readonly download: readonly string[] }
  ? FileAnswer
  : DeepReadonly<z.output<C['answer']>> | Prepared;

type DeepReadonly<T> = T extends object ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> } : T;

/** What all calls of an application share. */
export interface CallHost {
  readonly memoryLimit: MemoryLimit;
  /** exchanges the token of a dashboard link for a session; the patients module sets it. */
  exchangeLink?: (link: LinkRequest) => Promise<ExchangedLink | Refusal>;
  /** S-18: finds who of the staff asks; null when a call needs no session. Set by the staff module. */
  admitStaff?: (call: AnyCall, request: FastifyRequest) => Promise<SignedInStaff | Refusal | null>;
  /** The work of requests that were told that its outcome is not known yet. */
  readonly goingOn: Set<Promise<unknown>>;
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
    ahead: Promise<unknown> | undefined;
    exchangedToken: string | null;
    uses: UsesOfRequest | null;
    /** How long it was asked who sends it, before its body was read. */
    letInAfterMs: number;
  }
}

/**
 * Registers the handler of a contract call, which alone defines path, method and who may call it. `ask` concerns no
 * single patient: it runs while the session is looked up, and the handler gets its answer.
 */
export function route<C extends AnyCall, Ahead = undefined>(
  app: FastifyInstance,
  call: C,
  handler: Handler<C, Ahead>,
  ask?: () => Promise<Ahead>,
): void {
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
      request.ahead = ask?.();
      // Of one that is refused, nobody waits for it.
      request.ahead?.catch(() => {});
      const refusal =
        (await authorize(call, request)) ??
        // S-5: counted before the body is read, so that requests with an unreadable body count, too.
        request.uses.inMemory(host.memoryLimit, ...countedAs(call, request));
      if (refusal) return sendRefusal(reply, refusal);
      request.letInAfterMs = reply.elapsedTime;
    },
    onSend: async (request, reply) => {
      if (reply.statusCode === 503) request.uses?.unanswered();
    },
    handler: async (request, reply) => {
      const work = answer(request);
      const said = mayBeOpen(call, request) ? await inTime(app, work, request) : await work;
      return sendAnswer(call, reply, said);
    },
  };
  const answer = async (request: FastifyRequest): Promise<unknown> => {
    const { form, uses } = request;
    if (uses === null) throw new Error('A request that was not let in');
    try {
      const input = readInput(call, request);
      if (input instanceof Refusal) return input;
      const context = {
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
      };
      return await handler(context, (await request.ahead) as Ahead);
    } finally {
      form?.release();
    }
  };
  const url = `/api${call.path}`;
  for (const one of new Set([url, url.replace(/\/$/, '')])) app.route({ ...answering, url: one });
}

/** how long somebody waits for a word who may ask again, apart from the sending of the body. */
const WORD_AFTER_MS = 9_000;

/** Whether a repeat finds what became of it: under its key, or as it only reads. */
const mayBeOpen = (call: AnyCall, { headers }: FastifyRequest): boolean =>
  call.idempotency === 'key'
    ? headers['idempotency-key'] !== undefined
    : call.method === 'GET' && call.download === undefined;

/** The answer, or after nine seconds the refusal that leaves it open, while the work goes on to its end. */
async function inTime(
  app: FastifyInstance,
  work: Promise<unknown>,
  request: FastifyRequest,
): Promise<unknown> {
  const { goingOn } = app.callHost;
  const { uses } = request;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, WORD_AFTER_MS - request.letInAfterMs, null);
  });
  const first = await Promise.race([work, late]).finally(() => clearTimeout(timer));
  if (first !== null) return first;
  // Whether the work used up its tries, its end says and not this answer.
  request.uses = null;
  const ended = work
    .catch((error: unknown) => refusalOf(error, request, app.platform.log))
    .then((end) => {
      if (end instanceof Refusal && end.status === 503) uses?.unanswered();
    })
    .finally(() => goingOn.delete(ended));
  goingOn.add(ended);
  return refuse('serviceBusy');
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
 * nothing. In the product's own calls an empty value is a value.
 */
const withValues = (call: AnyCall, query: unknown) =>
  isOurs(call)
    ? query
    : Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ''));

/** the own pages must send an idempotency key; for other clients the key is optional. */
const lacksKeyOfOurs = ({ headers }: FastifyRequest) =>
  headers['sec-fetch-site'] === 'same-origin' && headers['idempotency-key'] === undefined;

const invalidField = (field: string) => ({ field, message: localized('invalidField') });
const unknownField = (field: string) => ({
  field: field.slice(0, 200),
  message: localized('unknownField'),
});

function problemsOf(issue: z.core.$ZodIssue): FieldProblem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => unknownField([...issue.path, key].map(String).join('.')));
  const field = issue.path.map(String).join('.').slice(0, 200) || 'body';
  if (issue.code === 'too_big' && issue.origin === 'string')
    return [{ field, message: localized('textTooLong', { most: Number(issue.maximum) }) }];
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
