/** What SOAP cannot do: calls of OSCAR's REST services, as the provider who authorised the token. */
import {
  OscarFault,
  OscarRefused,
  because,
  faulted,
  refusedByFirewall,
  refusedByOAuth,
  unanswered,
} from './errors.ts';
import type { Way } from './link.ts';
import type { Sign } from './oauth.ts';
import { fieldsOf, isTrue } from './reading.ts';
import type { Request, Response } from './transport.ts';

interface RestCall extends Pick<Request, 'call'>, Partial<Pick<Request, 'writes' | 'patience'>> {
  readonly path: string;
  /** With a body the call is a POST, without a GET. */
  readonly body?: object;
}

export type Rest = ReturnType<typeof restOf>;

export function restOf({ base, transport, urgent, proved }: Way, sign: Sign) {
  async function call(request: RestCall): Promise<unknown> {
    const { path, body: sent, ...asked } = request;
    const url = `${base}/ws/services${path}`;
    const method = sent === undefined ? 'GET' : 'POST';
    const response = await transport.send({
      writes: false,
      ...asked,
      urgent,
      method,
      url,
      headers: {
        authorization: sign({ method, url }),
        // The services answer XML unless asked.
        accept: 'application/json',
        'content-type': 'application/json',
      },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
    proved.token = -Infinity;
    assertAdmitted(request, response);
    if (response.status < 300) proved.token = transport.now();
    const { status, body } = response;
    const answer = status < 300 ? parsed(body) : undefined;
    if (answer !== undefined) return answer;
    if (status < 300) throw unanswered(request, 'not as it should be');
    const isUnknown = request.writes === true && status >= 500;
    const why = because(status, body, status === 404 ? 'this OSCAR has no such service' : '');
    throw faulted({ ...request, writes: isUnknown }, why);
  }

  const check = async (): Promise<boolean> => {
    try {
      const answer = await call({ call: 'checkIfAuthed', path: '/status/checkIfAuthed' });
      if (answer === null || !isTrue(fieldsOf(answer).success))
        throw new OscarFault('checkIfAuthed was answered with something else');
      return true;
    } catch (error) {
      // OSCAR looks at the token first: whoever lacks a scope is known.
      if (error instanceof OscarRefused && /_(scope|endpoint)$/.test(error.word ?? ''))
        return false;
      throw error;
    }
  };

  return { call, check };
}

/** The token is looked at before anything else, so nothing was written. */
function assertAdmitted({ call }: RestCall, { status, type, body }: Response) {
  if (status === 403 && type.includes('html')) throw refusedByFirewall(call, status);
  if (status >= 500 && /oauth_(authentication_failed|processing_error)/.test(body))
    throw unanswered({ call }, 'its database is down');
  // A redirect leads to OSCAR's login page; Open-O refuses with a 500, and with a 404 where REST is off.
  const isRefused = status === 401 || status === 403 || (status >= 300 && status < 400);
  if (isRefused || (status >= 400 && /OAuth1Exception: |No service was found/.test(body)))
    throw refusedByOAuth(
      call,
      status,
      body,
      status === 403
        ? 'the provider of the token lacks a role for it'
        : 'the token is not taken: connect again',
    );
}

/** Null when the answer is empty, undefined when it is no JSON. */
function parsed(body: string): unknown {
  if (body.trim() === '') return null;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
