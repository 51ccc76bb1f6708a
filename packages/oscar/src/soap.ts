/** Calls OSCAR's SOAP services with WS-Security. One login, renewed once when OSCAR refuses it. */
import { OscarRefused, faulted, refusedByFirewall, unanswered } from './errors.ts';
import { type Fields, fieldsOf, textOf } from './reading.ts';
import type { Response, Session, Way } from './transport.ts';
import { buildXml, parseXml } from './xml.ts';

const WSSE = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss';

interface SoapCall {
  readonly service: string;
  readonly operation: string;
  /** In the operation's order: OSCAR names them arg0, arg1 and so on. */
  readonly args: readonly unknown[];
  readonly writes?: boolean;
}

export interface SoapLogin {
  readonly userName: string;
  readonly password: string;
}

/** For so long after a login that ended no fault, faults of reads are not taken for a token's. */
const VAIN_MS = 60_000;

export type Soap = ReturnType<typeof soapOf>;

export function soapOf({ base, transport, urgent, state }: Way, { userName, password }: SoapLogin) {
  async function send(request: SoapCall, session: Session | null): Promise<Answer> {
    const response = await transport.send({
      call: request.operation,
      writes: request.writes === true,
      urgent,
      method: 'POST',
      url: `${base}/ws/${request.service}`,
      headers: { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' },
      body: envelope(request, session),
    });
    const answer = read(request, response);
    state.takenAt.login = answer.kind === 'returned' ? transport.now() : -Infinity;
    return answer;
  }

  async function logIn(): Promise<Session> {
    const request = { service: 'LoginService', operation: 'login2', args: [userName, password] };
    const answer = await send(request, null);
    const { values } = returned(
      answer,
      'login2 was refused: look at the login, its PIN and its expiry',
    );
    const { securityId, securityTokenKey } = fieldsOf(values[0]);
    return { securityId: textOf(securityId), token: textOf(securityTokenKey) };
  }

  async function session(): Promise<Session> {
    const current = (state.session ??= logIn());
    try {
      return await current;
    } catch (error) {
      if (state.session === current) state.session = null;
      throw error;
    }
  }

  /**
   * OSCAR looks at the token before anything else, so whatever it does not admit may be repeated, a write too.
   * Any other fault may be the token's in words that are not known: a read is repeated, a write never.
   */
  async function ask(request: SoapCall): Promise<Returned> {
    const used = await session();
    let answer = await send(request, used);
    const isVain = transport.now() - state.vainLoginAt < VAIN_MS;
    if (answer.kind === 'notAdmitted' || (answer.kind === 'fault' && !request.writes && !isVain)) {
      if ((await state.session) === used) state.session = null;
      answer = await send(request, await session());
      if (answer.kind === 'fault') state.vainLoginAt = transport.now();
    }
    return returned(answer, `${request.operation} was refused after a new login`);
  }

  return {
    /** The objects that a read answers; none when it answers null. */
    rows: async (service: string, operation: string, ...args: readonly unknown[]) =>
      (await ask({ service, operation, args })).values.map(fieldsOf),
    /** The value that a read answers. */
    value: async (service: string, operation: string) =>
      (await ask({ service, operation, args: [] })).values[0],
    /** The value that a write to the schedule answers. */
    write: async (operation: string, row: Fields) =>
      (await ask({ service: 'ScheduleService', operation, args: [row], writes: true })).values[0],
    /** Asks what any login may, and answers the server's time. */
    check: async () =>
      (await ask({ service: 'ScheduleService', operation: 'getAppointmentTypes', args: [] })).at,
  };
}

interface Returned {
  readonly kind: 'returned';
  readonly values: readonly unknown[];
  readonly at: number;
}
type Answer =
  Returned | { readonly kind: 'fault'; readonly error: Error } | { readonly kind: 'notAdmitted' };

function returned(answer: Answer, refusal: string): Returned {
  if (answer.kind === 'returned') return answer;
  throw answer.kind === 'fault' ? answer.error : new OscarRefused('soap', refusal);
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
  }
  const answer = parts[`${call}Response`];
  if (answer === undefined) return { kind: 'fault', error: faulted({ call, writes }, status) };
  const values = answer === '' ? [] : fieldsOf(answer).return;
  const list = Array.isArray(values) ? (values as unknown[]) : [];
  return { kind: 'returned', values: list.filter((value) => value !== ''), at };
}

/** The children of the envelope's body; null when the answer is not SOAP. */
function bodyOf(text: string): Fields | null {
  const root = parseXml(text) as { Envelope?: { Body?: unknown } } | undefined;
  const body = root?.Envelope?.Body;
  return typeof body === 'object' ? (body as Fields) : null;
}

function envelope({ operation, args }: SoapCall, session: Session | null): string {
  const named = args.flatMap((value, index) =>
    value === undefined || value === null ? [] : [[`arg${index}`, value] as const],
  );
  const security = session && {
    '@xmlns:wsse': `${WSSE}-wssecurity-secext-1.0.xsd`,
    'wsse:UsernameToken': {
      'wsse:Username': session.securityId,
      'wsse:Password': {
        '@Type': `${WSSE}-username-token-profile-1.0#PasswordText`,
        '#text': session.token,
      },
    },
  };
  return buildXml({
    'soapenv:Envelope': {
      '@xmlns:soapenv': 'http://schemas.xmlsoap.org/soap/envelope/',
      '@xmlns:ws': 'http://ws.oscarehr.org/',
      'soapenv:Header': security ? { 'wsse:Security': security } : {},
      'soapenv:Body': { [`ws:${operation}`]: Object.fromEntries(named) },
    },
  });
}
