import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { type Call, refusal } from '@clinic/contract';
import type { InjectOptions, Response } from 'light-my-request';
import { checkAnswer } from '../../testing/index.ts';
import { everyCall } from '../every-call.ts';
import { addressOf } from './spoiling.ts';

/** Throws for what no request may bring about: a 500, an answer outside of the contract. */
export function checkFuzzAnswer(call: Call, request: InjectOptions, encoded: Response): void {
  const response = decoded(encoded);
  if (response.statusCode >= 500 && response.statusCode !== 503)
    throw new Error(`${call.id} broke: ${response.statusCode} ${response.body}`);
  if (request.method === 'HEAD') return;
  const reached = callReached(request, call);
  if (reached !== null) return checkAnswer(reached, response);
  const problem = refusal.safeParse(response.json()).error;
  if (problem) throw new Error(`Not a refusal of the contract: ${problem.message}`);
}

const decoders = new Map([
  ['gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

/** The answer as its client reads it, in whatever encoding that was asked for. */
function decoded(response: Response): Response {
  const decode = decoders.get(String(response.headers['content-encoding']));
  if (decode === undefined) return response;
  const json = () => JSON.parse(decode(response.rawPayload).toString()) as unknown;
  return { ...response, json: json as Response['json'] };
}

/** Another method or path may lead to another call, the one that names it exactly first, or to none. */
function callReached(request: InjectOptions, call: Call): Call | null {
  const { method } = request;
  const path = new URL(addressOf(request), 'http://clinic.example').pathname.replace(/^\/api/, '');
  const able = everyCall.filter((each) => each.method === method && matches(each, path));
  const exact = able.find((each) => each.path === path);
  return exact ?? able.find((each) => each.id === call.id) ?? able[0] ?? null;
}

const matches = ({ path }: Call, asked: string): boolean =>
  new RegExp(`^${path.replace(/:\w+/g, '[^/]+').replace(/\/$/, '/?')}$`).test(asked);
