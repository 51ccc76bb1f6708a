/** Calls OSCAR's SOAP services with WS-Security. One login, renewed once when OSCAR refuses it. */
import { OscarFault, OscarOutcomeUnknown, OscarRefused } from './errors.ts';
import { fieldsOf, textOf } from './reading.ts';
import type { Response, Transport } from './transport.ts';
import { buildXml, parseXml } from './xml.ts';

const WSSE = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss';

export interface SoapCall {
  readonly service: string;
  readonly operation: string;
  /** In the operation's order: OSCAR names them arg0, arg1 and so on. */
  readonly args?: readonly unknown[];
  readonly writes?: boolean;
}

export interface SoapLogin {
  readonly userName: string;
  readonly password: string;
}

interface Session {
  /** The login's number, which WS-Security takes as user name. */
  readonly securityId: string;
  /** Derived from the server's start and the password, so it changes with every restart. */
  readonly token: string;
}

export interface SoapOptions {
  readonly base: string;
  readonly transport: Transport;
  readonly login: SoapLogin;
  /** Shared by all clients with the same login. */
  readonly sessions: { current: Promise<Session> | null };
  readonly urgent: boolean;
}

export type Soap = ReturnType<typeof soapOf>;

export function soapOf({ base, transport, login, sessions, urgent }: SoapOptions) {
  async function send(request: SoapCall, session: Session | null): Promise<Response> {
    return transport.send({
      call: request.operation,
      writes: request.writes === true,
      urgent,
      method: 'POST',
      url: `${base}/ws/${request.service}`,
      headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' },
      body: envelope(request, session),
    });
  }

  async function logIn(): Promise<Session> {
    const { userName, password } = login;
    const request = { service: 'LoginService', operation: 'login2', args: [userName, password] };
    const answer = read(request, await send(request, null));
    if (answer.kind !== 'returned')
      throw new OscarRefused('soap', 'login2 was refused: the login, its PIN or its expiry');
    const { securityId, securityTokenKey } = fieldsOf(answer.values[0]);
    return { securityId: textOf(securityId), token: textOf(securityTokenKey) };
  }

  async function session(): Promise<Session> {
    const current = (sessions.current ??= logIn());
    try {
      return await current;
    } catch (error) {
      if (sessions.current === current) sessions.current = null;
      throw error;
    }
  }

  /** The values that the operation returned; empty when it returned null. */
  async function call(request: SoapCall): Promise<readonly unknown[]> {
    const used = await session();
    const first = read(request, await send(request, used));
    if (first.kind === 'returned') return first.values;
    // OSCAR checks the token before anything else: nothing was done, so the call may be repeated.
    if ((await sessions.current) === used) sessions.current = null;
    const second = read(request, await send(request, await session()));
    if (second.kind === 'returned') return second.values;
    throw new OscarRefused('soap', `${request.operation} was refused after a new login`);
  }

  /** Calls a service that needs no login. */
  async function open(request: SoapCall): Promise<readonly unknown[]> {
    const answer = read(request, await send(request, null));
    if (answer.kind === 'returned') return answer.values;
    throw new OscarRefused('soap', `${request.operation} was refused`);
  }

  return { call, open };
}

type Answer = { kind: 'returned'; values: readonly unknown[] } | { kind: 'notAdmitted' };

function read({ operation, writes = false }: SoapCall, { status, body }: Response): Answer {
  const parts = bodyOf(body);
  if (parts === null) {
    if (status === 401 || status === 403 || status === 405)
      throw new OscarRefused('firewall', `${operation} did not get past a firewall (${status})`);
    throw failed(operation, writes, status);
  }
  if (parts.Fault !== undefined) {
    const { faultcode, faultstring } = fieldsOf(parts.Fault);
    if (/FailedAuthentication|InvalidSecurity/.test(textOf(faultcode)))
      return { kind: 'notAdmitted' };
    if (operation === 'login2' && /Invalid Username\/Password/i.test(textOf(faultstring)))
      return { kind: 'notAdmitted' };
    throw failed(operation, writes, status);
  }
  const answer = parts[`${operation}Response`];
  if (answer === undefined) throw failed(operation, writes, status);
  if (answer === '') return { kind: 'returned', values: [] };
  const values = fieldsOf(answer).return;
  const list = Array.isArray(values) ? (values as unknown[]) : [];
  return { kind: 'returned', values: list.filter((value) => value !== '') };
}

function failed(operation: string, writes: boolean, status: number): Error {
  const message = `${operation} was answered with an error (${status})`;
  return writes ? new OscarOutcomeUnknown(message) : new OscarFault(message);
}

/** The children of the envelope's body; null when the answer is not SOAP. */
function bodyOf(text: string): Readonly<Record<string, unknown>> | null {
  const root = parseXml(text) as { Envelope?: { Body?: unknown } } | undefined;
  const body = root?.Envelope?.Body;
  return typeof body === 'object' ? (body as Readonly<Record<string, unknown>>) : null;
}

function envelope({ operation, args = [] }: SoapCall, session: Session | null): string {
  const named = args.flatMap((value, index) =>
    value === undefined || value === null ? [] : [[`arg${index}`, value] as const],
  );
  const security = session === null ? {} : { 'wsse:Security': securityOf(session) };
  return buildXml({
    'soapenv:Envelope': {
      '@xmlns:soapenv': 'http://schemas.xmlsoap.org/soap/envelope/',
      '@xmlns:ws': 'http://ws.oscarehr.org/',
      'soapenv:Header': security,
      'soapenv:Body': { [`ws:${operation}`]: Object.fromEntries(named) },
    },
  });
}

function securityOf({ securityId, token }: Session) {
  return {
    '@xmlns:wsse': `${WSSE}-wssecurity-secext-1.0.xsd`,
    'wsse:UsernameToken': {
      'wsse:Username': securityId,
      'wsse:Password': {
        '@Type': `${WSSE}-username-token-profile-1.0#PasswordText`,
        '#text': token,
      },
    },
  };
}
