/** One call of OSCAR's REST services, as the provider who authorised the token. */
import { OscarFault, OscarOutcomeUnknown, OscarRefused } from './errors.ts';
import type { Sign } from './oauth.ts';
import { fieldsOf, isTrue } from './reading.ts';
import type { Response, Transport } from './transport.ts';
import { parseXml } from './xml.ts';

export interface RestCall {
  readonly call: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** With a body the call is a POST, without a GET. */
  readonly body?: object;
  readonly writes?: boolean;
  /** A factor for the usual timeout. */
  readonly patience?: number;
  /** The status that means there is no such row; the call then answers null. */
  readonly absent?: number;
}

export interface RestOptions {
  readonly base: string;
  readonly transport: Transport;
  readonly sign: Sign;
  readonly urgent: boolean;
}

export type Rest = ReturnType<typeof restOf>;

export function restOf({ base, transport, sign, urgent }: RestOptions) {
  async function send({ call, path, query = {}, body, writes = false, patience = 1 }: RestCall) {
    const search = Object.entries(query)
      .map((pair) => pair.map(encodeURIComponent).join('='))
      .join('&');
    const url = `${base}/ws/services${path}${search === '' ? '' : `?${search}`}`;
    const method = body === undefined ? 'GET' : 'POST';
    return transport.send({
      call,
      writes,
      urgent,
      patience,
      method,
      url,
      headers: {
        authorization: sign({ method, url }),
        // The services answer XML unless asked.
        accept: 'application/json',
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  /** Whether OSCAR accepts the token. Some builds answer a bad one with a 500, like any other error. */
  async function isAuthorised(): Promise<boolean> {
    const { status, body } = await send({ call: 'checkIfAuthed', path: '/status/checkIfAuthed' });
    const answer = status === 200 ? parsed(body) : undefined;
    return answer !== undefined && answer !== null && isTrue(fieldsOf(answer).success);
  }

  async function call(request: RestCall): Promise<unknown> {
    const response = await send(request);
    assertAdmitted(request.call, response);
    const { status, body } = response;
    if (status === request.absent) return null;
    const answer = status < 300 ? parsed(body) : undefined;
    if (answer !== undefined) return answer;
    if (request.writes === true && (status < 300 || status >= 500))
      throw new OscarOutcomeUnknown(`${request.call} was answered with an error (${status})`);
    if (status >= 500 && !(await isAuthorised()))
      throw new OscarRefused('oauth', `${request.call} was refused: the token is not valid`);
    throw new OscarFault(`${request.call} was answered with an error (${status})`);
  }

  return { call, isAuthorised };
}

function assertAdmitted(call: string, { status, type }: Response) {
  if (status === 403 && type.includes('html'))
    throw new OscarRefused('firewall', `${call} did not get past a firewall`);
  // A redirect leads to OSCAR's login page.
  if (status === 401 || status === 403 || (status >= 300 && status < 400))
    throw new OscarRefused('oauth', `${call} was refused (${status})`);
}

/** Null when the answer is empty, as for a number that OSCAR does not know; undefined when unreadable. */
function parsed(body: string): unknown {
  if (body.trim() === '') return null;
  if (!body.trimStart().startsWith('<'))
    try {
      return JSON.parse(body);
    } catch {
      return undefined;
    }
  // Some builds answer XML whatever is asked for. An HTML page may be valid XML too, and is refused.
  const xml = parseXml(body) as Readonly<Record<string, unknown>> | undefined;
  const [root] = Object.keys(xml ?? {});
  return xml === undefined || root === undefined || /^html$/i.test(root) ? undefined : xml[root];
}
