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
import type { Sign } from './oauth.ts';
import { type Fields, fieldsOf, isTrue } from './reading.ts';
import type { Response, Way } from './transport.ts';

export type Rest = ReturnType<typeof restOf>;

export function restOf({ base, transport, urgent, state }: Way, sign: Sign) {
  /** With a body it is a POST, which writes, and without one a GET. An empty answer has no fields. */
  async function call(path: string, sent?: object, patience = 1): Promise<Fields> {
    const asked = { call: path.replaceAll(/^\/|\/\d+|\?.*/g, ''), writes: sent !== undefined };
    const url = `${base}/ws/services${path}`;
    const method = asked.writes ? 'POST' : 'GET';
    const response = await transport.send({
      ...asked,
      patience,
      urgent,
      method,
      url,
      headers: {
        authorization: sign({ method, url }),
        // The services answer XML unless asked.
        accept: 'application/json',
        'content-type': 'application/json',
      },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    });
    state.takenAt.token = -Infinity;
    assertAdmitted(asked.call, response);
    const { status, body } = response;
    if (status >= 300) {
      const why = because(status, body, status === 404 ? 'this OSCAR has no such service' : '');
      throw faulted({ ...asked, writes: asked.writes && status >= 500 }, why);
    }
    state.takenAt.token = transport.now();
    const answer = parsed(body);
    if (answer === null) throw unanswered(asked, 'not as it should be');
    return answer;
  }

  async function check(): Promise<boolean> {
    try {
      const { success } = await call('/status/checkIfAuthed');
      if (!isTrue(success)) throw new OscarFault('checkIfAuthed was answered with something else');
      return true;
    } catch (error) {
      // OSCAR looks at the token first: a provider without a scope is known.
      if (error instanceof OscarRefused && error.isOfScope) return false;
      throw error;
    }
  }

  return { call, check };
}

/** The token is looked at before anything else, so nothing was written. */
function assertAdmitted(call: string, { status, type, body }: Response) {
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

/** Null when it is no object in JSON. */
function parsed(body: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(body.trim() || '{}'));
  } catch {
    return null;
  }
}
