import {
  type AnyCall,
  type CallAnswer,
  type ApiRefusal,
  answersOf,
  calls,
  deskCalls,
} from '@clinic/contract';
import type { InjectOptions, Response } from 'light-my-request';
import { type FormFile, formBody } from './form-body.ts';
import type { TestApp } from './test-app.ts';

export interface AskOptions {
  readonly token?: string | undefined;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, or as the text fields of a form. */
  readonly body?: unknown;
  /** Makes a form of a call that takes JSON too; a call that takes only forms is sent as one. */
  readonly files?: readonly FormFile[];
}

/** Every call that the application has a handler for: what the system tests go through. */
export function registeredCalls({ app }: Pick<TestApp, 'app'>): readonly AnyCall[] {
  return [...app.callHost.registered.values()];
}

const ofBothDoors = { ...calls, ...deskCalls };
type AnyCallId = AnyCall['id'];

/** The request of a call as `inject` takes it, for tests that bend it before they send it. */
export function requestOf(id: AnyCallId, options: AskOptions = {}): InjectOptions {
  const { method, path } = ofBothDoors[id];
  const { token, params = {}, query = {}, headers = {}, body, files } = options;
  const filled = path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String(params[name] ?? 'missing')),
  );
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ).toString();
  const form =
    files !== undefined || onlyForms(ofBothDoors[id]) ? formBody(body, files ?? []) : null;
  const payload = form?.payload ?? (body as (InjectOptions['payload'] & object) | undefined);
  return {
    method,
    url: `/api${filled}${search === '' ? '' : `?${search}`}`,
    headers: {
      ...(token === undefined ? {} : { 'x-access-token': token }),
      ...form?.headers,
      ...headers,
    },
    ...(payload === undefined ? {} : { payload }),
  };
}

/** Whether a call takes no JSON. */
export const onlyForms = ({ files }: AnyCall): boolean =>
  files !== undefined && files.optional !== true;

/** Asks a call over HTTP and holds its answer against the contract: status and shape. */
export async function ask<Id extends AnyCallId>(
  { app }: Pick<TestApp, 'app'>,
  id: Id,
  options: AskOptions = {},
): Promise<Answered<Id>> {
  const response = await app.inject(requestOf(id, options));
  checkAnswer(ofBothDoors[id], response);
  const read = (isAnswer: boolean): unknown => {
    if ((response.statusCode === 200) !== isAnswer)
      throw new Error(`${id} answered ${response.statusCode}: ${response.body}`);
    return response.json();
  };
  return Object.assign(response, {
    answer: () => read(true) as CallAnswer<Id>,
    refusal: () => read(false) as ApiRefusal,
  });
}

export interface Answered<Id extends AnyCallId> extends Response {
  /** What the call answered; throws when it refused. */
  readonly answer: () => CallAnswer<Id>;
  /** The envelope of a refusal; throws when the call answered. */
  readonly refusal: () => ApiRefusal;
}

/** Throws when an answer is not in the contract of its call. */
export function checkAnswer(call: AnyCall, response: Response): void {
  const schema = answersOf(call).get(response.statusCode);
  if (!schema) throw new Error(`${call.id} answered ${response.statusCode}: ${response.body}`);
  if (call.download !== undefined && response.statusCode === 200)
    return checkDownload(call, response);
  const problem = schema.safeParse(response.json()).error;
  if (problem) throw new Error(`${call.id} answered outside of its contract: ${problem.message}`);
}

/** S-4: a file is kept by the browser, never shown. */
function checkDownload({ id, download }: AnyCall, { headers }: Response): void {
  const type = String(headers['content-type']).replace(/;.*/, '');
  if (download?.includes(type) !== true) throw new Error(`${id} answered a file of type ${type}`);
  const disposition = String(headers['content-disposition']);
  const isConfined = String(headers['content-security-policy']).startsWith('sandbox');
  if (!/^attachment; filename="[\w.-]+"$/.test(disposition) || !isConfined)
    throw new Error(`${id} answered a file that a browser may show: ${disposition}`);
}
