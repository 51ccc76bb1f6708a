/** Calls OSCAR's SOAP services with WS-Security. One login, renewed once when OSCAR refuses it. */
import { OscarRefused, faulted, refusedByFirewall, unanswered } from './errors.ts';
import type { Way } from './link.ts';
import { fieldsOf, textOf } from './reading.ts';
import type { Response } from './transport.ts';
import { buildXml, parseXml } from './xml.ts';

const WSSE = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss';

interface SoapCall {
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

/** Shared by all clients with the same login. */
interface Sessions {
  current: Promise<Session> | null;
  /** When a new login last did not end a fault. */
  vainAt: number;
}

/** For so long after a login that ended no fault, faults of reads are not taken for a token's. */
const VAIN_MS = 60_000;

export type Soap = ReturnType<typeof soapOf>;

export function soapOf(
  { base, transport, urgent, proved }: Way,
  { userName, password }: SoapLogin,
  sessions: Sessions,
) {
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
    const request = { service: 'LoginService', operation: 'login2', args: [userName, password] };
    const answer = read(request, await send(request, null));
    if (answer.kind === 'notAdmitted')
      throw new OscarRefused(
        'soap',
        'login2 was refused: look at the login, its PIN and its expiry',
      );
    const { securityId, securityTokenKey } = fieldsOf(valuesIn(answer)[0]);
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

  /**
   * The values that the operation returned; empty when it returned null. OSCAR looks at the token before
   * anything else, so whatever it does not admit may be repeated, a write too. Any other fault may be the
   * token's in words that are not known: a read is repeated, a write never.
   */
  const call = async (request: SoapCall) => valuesIn(await ask(request));

  async function ask(request: SoapCall): Promise<Admitted> {
    const used = await session();
    const first = noted(read(request, await send(request, used)));
    const isVain = transport.now() - sessions.vainAt < VAIN_MS;
    if (first.kind === 'returned' || (first.kind === 'fault' && (request.writes || isVain)))
      return first;
    if ((await sessions.current) === used) sessions.current = null;
    const second = noted(read(request, await send(request, await session())));
    if (second.kind === 'notAdmitted')
      throw new OscarRefused('soap', `${request.operation} was refused after a new login`);
    if (second.kind === 'fault') sessions.vainAt = transport.now();
    return second;
  }

  function noted(answer: Answer): Answer {
    proved.login = answer.kind === 'returned' ? transport.now() : -Infinity;
    return answer;
  }

  /** A question that any login may ask. */
  async function check(): Promise<number> {
    const answer = await ask({ service: 'ScheduleService', operation: 'getAppointmentTypes' });
    valuesIn(answer);
    return answer.at;
  }

  return { call, check };
}

type Admitted =
  | { readonly kind: 'returned'; readonly values: readonly unknown[]; readonly at: number }
  | { readonly kind: 'fault'; readonly error: Error; readonly at: number };
type Answer = Admitted | { readonly kind: 'notAdmitted' };

function valuesIn(answer: Admitted): readonly unknown[] {
  if (answer.kind === 'fault') throw answer.error;
  return answer.values;
}

/** The codes of WS-Security and of WSS4J; their namespaces differ between builds. */
const notAdmitted =
  /(^|:)(SecurityError|FailedAuthentication|FailedCheck|InvalidSecurity(Token)?|SecurityTokenUnavailable|Unsupported(SecurityToken|Algorithm)|MessageExpired)$/;
/** What Hibernate and its pools say of a database that does not answer. */
const databaseDown =
  /Could not open (JPA EntityManager|Hibernate Session|JDBC Connection)|JDBCConnectionException|Unable to acquire JDBC Connection|Cannot create PoolableConnectionFactory|Communications link failure/;

function read(
  { operation: call, writes = false }: SoapCall,
  { status, body, at }: Response,
): Answer {
  if (status === 401) return { kind: 'notAdmitted' };
  const parts = bodyOf(body);
  if (parts === null) {
    // CARLOS answers a wrong login with a page, as it does whatever else fails there.
    if (call === 'login2' && status === 500) return { kind: 'notAdmitted' };
    if (status === 403 || status === 405) throw refusedByFirewall(call, status);
    throw unanswered({ call, writes }, status);
  }
  if (parts.Fault !== undefined) {
    const { faultcode, faultstring } = fieldsOf(parts.Fault);
    if (
      notAdmitted.test(textOf(faultcode)) ||
      (call === 'login2' && /Invalid Username\/Password/i.test(textOf(faultstring)))
    )
      return { kind: 'notAdmitted' };
    if (databaseDown.test(textOf(faultstring)))
      throw unanswered({ call, writes }, 'its database is down');
    return { kind: 'fault', error: faulted({ call, writes }, status), at };
  }
  const answer = parts[`${call}Response`];
  if (answer === undefined) return { kind: 'fault', error: faulted({ call, writes }, status), at };
  if (answer === '') return { kind: 'returned', values: [], at };
  const values = fieldsOf(answer).return;
  const list = Array.isArray(values) ? (values as unknown[]) : [];
  return { kind: 'returned', values: list.filter((value) => value !== ''), at };
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
