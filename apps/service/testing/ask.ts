import {
  type Call,
  type CallAnswer,
  type CallId,
  type WireRefusal,
  answersOf,
  calls,
} from '@clinic/contract';
import type { InjectOptions, Response } from 'light-my-request';
import type { TestApp } from './test-app.ts';

export interface AskOptions {
  readonly token?: string | undefined;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON. */
  readonly body?: unknown;
}

/** Every call that the application has a handler for: what the test houses walk. */
export function registeredCalls({ app }: Pick<TestApp, 'app'>): readonly Call[] {
  return [...app.callHost.registered.values()];
}

/** The request of a call as `inject` takes it, for houses that bend it before they send it. */
export function requestOf(id: CallId, options: AskOptions = {}): InjectOptions {
  const { method, path } = calls[id];
  const { token, params = {}, query = {}, headers = {}, body } = options;
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? 'missing')),
  );
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString();
  return {
    method,
    url: `/api${filled}${search === '' ? '' : `?${search}`}`,
    headers: { ...(token === undefined ? {} : { 'x-access-token': token }), ...headers },
    ...(body === undefined ? {} : { payload: body as InjectOptions['payload'] & object }),
  };
}

/** Asks a call over HTTP and holds its answer against the contract: status and shape. */
export async function ask<Id extends CallId>(
  { app }: Pick<TestApp, 'app'>,
  id: Id,
  options: AskOptions = {},
): Promise<Answered<Id>> {
  const response = await app.inject(requestOf(id, options));
  checkAnswer(calls[id], response);
  const read = (isAnswer: boolean): unknown => {
    if ((response.statusCode === 200) !== isAnswer)
      throw new Error(`${id} answered ${response.statusCode}: ${response.body}`);
    return response.json();
  };
  return Object.assign(response, {
    answer: () => read(true) as CallAnswer<Id>,
    refusal: () => read(false) as WireRefusal,
  });
}

export interface Answered<Id extends CallId> extends Response {
  /** What the call answered; throws when it refused. */
  readonly answer: () => CallAnswer<Id>;
  /** The envelope of a refusal; throws when the call answered. */
  readonly refusal: () => WireRefusal;
}

/** Throws when an answer is not in the contract of its call. */
export function checkAnswer(call: Call, response: Response): void {
  const schema = answersOf(call).get(response.statusCode);
  if (!schema) throw new Error(`${call.id} answered ${response.statusCode}: ${response.body}`);
  const problem = schema.safeParse(response.json()).error;
  if (problem) throw new Error(`${call.id} answered outside of its contract: ${problem.message}`);
}
