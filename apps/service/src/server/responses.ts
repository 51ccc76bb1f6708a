import { createHash } from 'node:crypto';
import { type AnyCall, answersOf } from '@clinic/contract';
import { type SetCookie, stringifySetCookie } from 'cookie';
import fastJson from 'fast-json-stringify';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { isBackground } from './authorize.ts';
import { Showing, noteLookAtDesk } from './audited-reads.ts';
import { JSON_TYPE, Refusal, sendRefusal } from './refusal.ts';

/** The answer of a call that has nothing to say. */
export const DONE = { success: true } as const;

/** The answer of a call, with what it says. */
export const success = <const Extras>(extras: Extras) => ({ ...DONE, extras });

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

/** Sends what a handler returned; in tests, an answer that the contract does not allow throws. */
export async function sendAnswer(
  call: AnyCall,
  reply: FastifyReply,
  answer: unknown,
  isNoted = false,
): Promise<FastifyReply> {
  const { platform } = reply.server;
  const { strictAnswers } = platform.config;
  if (answer instanceof Refusal) {
    const { code, status, details } = answer;
    if (strictAnswers && !answersOf(call).has(status))
      throw new Error(`${call.id} refused with ${code} (${status}), which its contract lacks`);
    if (status === 429) reply.request.uses?.alsoRefused(details.retryAfter ?? 0);
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
