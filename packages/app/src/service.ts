import type { AnyCall, CallAnswer, CallInput } from '@clinic/contract';
import { type AskOptions, type CallResult, clientOver } from '@clinic/contract/client';
import type { Failed } from '@clinic/contract/broke-off';
import { ApiError } from './api-error.ts';
import { correctClock } from './clock.ts';

type AnyCallId = AnyCall['id'];

interface ServiceOptions<Ids extends AnyCallId> {
  readonly routes: Parameters<typeof clientOver<Ids>>[0];
  /** Headers for every call, such as the access token. */
  readonly headers?: () => Record<string, string>;
  /** Sends a call, hears what a refusal says of the session, and may send it again. */
  readonly around?: <Result extends Failed | { readonly kind: 'answer' }>(
    id: Ids,
    send: () => Promise<Result>,
  ) => Promise<Result>;
}

export interface Service<Ids extends AnyCallId> {
  /** The result is a value: an answer, a refusal or 'unreachable'. */
  readonly call: <Id extends Ids>(
    id: Id,
    input: CallInput<Id>,
    options?: AskOptions,
  ) => Promise<CallResult<Id>>;
  /** As `call`: returns the answer, or throws an `ApiError`. */
  readonly request: <Id extends Ids>(
    id: Id,
    input: CallInput<Id>,
    options?: AskOptions,
  ) => Promise<CallAnswer<Id>>;
}

/** The calls of an app. Their answers set the clock. */
export function createService<Ids extends AnyCallId>({
  routes,
  headers = () => ({}),
  around = (_, send) => send(),
}: ServiceOptions<Ids>): Service<Ids> {
  const client = clientOver<Ids>(routes, {
    base: '/api',
    fetch: (...request) => fetch(...request),
    headers,
    onAnswer: correctClock,
  });
  const call: Service<Ids>['call'] = (id, input, options) =>
    around(id, () => client(id, input, options));
  return {
    call,
    async request(id, input, options) {
      const result = await call(id, input, options);
      if (result.kind === 'answer') return result.answer;
      throw new ApiError(result);
    },
  };
}
