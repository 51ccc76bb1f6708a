/** OSCAR's SOAP services. The schedule asks nobody for a privilege: any login may do all of it. */
import { XMLBuilder, XMLParser } from 'fast-xml-parser';

import {
  type AppointmentRow,
  type DemographicRow,
  type Fields,
  type Memory,
  secondsOf,
  text,
  textsIn,
} from './memory.ts';
import { type Profile, instant, moment, momentAt } from './profiles.ts';
import { credentials } from './seed.ts';
import { demographicXml, providerXml } from './shapes.ts';

const TYPE =
  'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
});
const builder = new XMLBuilder({});

interface Context {
  readonly memory: Memory;
  readonly profile: Profile;
  /** Changes when the server starts. */
  readonly token: string;
  /** Whether the login has a role: without one it may do all with the schedule, and see no patient. */
  readonly hasRole: boolean;
  /** Its date of expiry is past. */
  readonly isExpired: boolean;
}

interface Call {
  readonly operation: string;
  readonly args: Fields;
  readonly header: unknown;
}

/** A fault that is not the server's own; `declared` is the namespace in its code, where that is not SOAP's. */
class SoapFault extends Error {
  readonly code: string;
  readonly declared: string;
  constructor(code: string, message: string, declared = '') {
    super(message);
    this.code = code;
    this.declared = declared;
  }
}

/** What every call is answered while the database is down, but for SystemInfoService. */
export const databaseDown =
  'Could not open JPA EntityManager for transaction; nested exception is org.hibernate.exception.JDBCConnectionException: Unable to acquire JDBC Connection';

const refusedLogin = 'Invalid Username/Password';

export function callOf(body: string): Call | undefined {
  const root = parser.parse(body) as { Envelope?: { Header?: unknown; Body?: Fields } };
  const [operation, args] = Object.entries(root.Envelope?.Body ?? {})[0] ?? [];
  if (operation === undefined) return undefined;
  const fields = typeof args === 'object' ? (args as Fields) : {};
  return { operation, args: fields, header: root.Envelope?.Header };
}

export const isSoapWrite = (operation: string) => /^(add|update)Appointment$/.test(operation);

/** The envelope and its HTTP status. */
export function answerSoap(service: string, call: Call, context: Context) {
  try {
    const handler = handlers[`${service}.${call.operation}`];
    if (service !== 'LoginService' && service !== 'SystemInfoService') assertLogin(call, context);
    if (handler === undefined)
      throw new SoapFault(
        'soap:Client',
        `Message part {http://ws.oscarehr.org/}${call.operation} was not recognized.  (Does it exist in service WSDL?)`,
      );
    return { status: 200, body: answer(call.operation, handler(call.args, context)) };
  } catch (error) {
    return faultOf(error);
  }
}

export function faultOf(error: unknown) {
  const { code, message, declared } =
    error instanceof SoapFault ? error : new SoapFault('soap:Server', (error as Error).message);
  const isLogin = message === refusedLogin;
  const detail = isLogin
    ? '<detail><ns1:NotAuthorisedException xmlns:ns1="http://ws.oscarehr.org/"/></detail>'
    : '';
  return {
    status: 500,
    refusesLogin: isLogin || declared !== '',
    body: envelope(
      `<soap:Fault><faultcode${declared}>${code}</faultcode>${builder.build({ faultstring: message })}${detail}</soap:Fault>`,
    ),
  };
}

const envelope = (inside: string) =>
  `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${inside}</soap:Body></soap:Envelope>`;

const answer = (operation: string, values: readonly unknown[]) =>
  envelope(
    `<ns2:${operation}Response xmlns:ns2="http://ws.oscarehr.org/">${values
      .map((value) => builder.build({ return: isFields(value) ? inOrder(value) : value }))
      .join('')}</ns2:${operation}Response>`,
  );

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** JAXB sorts the elements by name, and leaves out what is NULL. */
const inOrder = (row: Fields) =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([, value]) => value !== null && value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

/** Whatever is wrong with the login, the fault is the same. */
function assertLogin({ header }: Call, { profile, token }: Context) {
  const { Security } = (header ?? {}) as { Security?: { UsernameToken?: Fields } };
  const given = Security?.UsernameToken;
  const password = given?.Password as { '#text'?: string; '@Type'?: string } | undefined;
  const isRight =
    given?.Username === credentials.securityId &&
    password?.['@Type'] === TYPE &&
    [token, credentials.soap.password].includes(password['#text'] ?? '');
  if (isRight) return;
  const [code, namespace] = profile.securityFault;
  const message = 'A security error was encountered when verifying the message';
  throw new SoapFault(`ns1:${code}`, message, ` xmlns:ns1="${namespace}"`);
}

const nobody = { providerNo: credentials.loginNo, firstName: '', lastName: '' };

type Handler = (args: Fields, context: Context) => readonly unknown[];

const handlers: Readonly<Record<string, Handler>> = {
  'LoginService.login2': ({ arg0, arg1 }, { memory, token, isExpired }) => {
    const { userName, password } = credentials.soap;
    if (isExpired || arg0 !== userName || arg1 !== password) throw new Error(refusedLogin);
    const account = memory.provider(credentials.loginNo) ?? { ...nobody, status: '1' };
    const provider = inOrder(providerXml(account));
    return [{ provider, securityId: credentials.securityId, securityTokenKey: token }];
  },
  'SystemInfoService.isAlive': () => ['alive'],
  'SystemInfoService.getServerTime': (_args, { memory, profile }) => [
    moment(profile, memory.now()),
  ],
  'SystemInfoService.getServerTimeGmtOffset': (_args, { memory, profile }) => [
    profile.hours(memory.now()) * 3_600_000,
  ],
  'ScheduleService.getDayWorkSchedule': getDayWorkSchedule,
  'ScheduleService.getAppointmentTypes': (_args, { memory }) => memory.types,
  'ScheduleService.getScheduleTemplateCodes': (_args, { memory }) =>
    memory.codes.map((row) => ({ ...row, code: row.code.codePointAt(0), color: '#BFEFFF' })),
  'ScheduleService.getAppointmentsForDateRangeAndProvider2': ({ arg0, arg1, arg2 }, context) =>
    transfers(
      context,
      ({ date, providerNo }) =>
        date >= text(arg0).slice(0, 10) && date < text(arg1).slice(0, 10) && providerNo === arg2,
    ),
  'ScheduleService.getAppointmentsForPatient2': ({ arg0, arg1, arg2 }, context) => {
    const from = integer(arg1);
    const patient = integer(arg0);
    return transfers(context, ({ demographicNo }) => demographicNo === patient)
      .toReversed()
      .slice(from, from + integer(arg2));
  },
  'ScheduleService.getAppointment2': ({ arg0 }, context) => {
    const no = integer(arg0);
    return transfers(context, ({ id }) => id === no);
  },
  'ScheduleService.getAppointmentsUpdatedAfterDate': ({ arg0, arg1 }, context) => {
    const most = integer(arg1);
    if (most > 5000) throw new Error(`Requested too large of a result list size : ${most}`);
    const rows = since(arg0, context.memory.appointments, context);
    return told(rows.sort((a, b) => a.updatedAt - b.updatedAt).slice(0, most), context);
  },
  // The appointment's number is not among what it tells.
  'ScheduleService.getAppointmentArchivesUpdatedAfterDate': ({ arg0, arg1 }, context) =>
    since(arg0, context.memory.archives, context)
      .slice(0, integer(arg1))
      .map((row, index) => ({ ...transfer(row, context), id: index + 1 })),
  'ScheduleService.addAppointment': addAppointment,
  'ScheduleService.updateAppointment': updateAppointment,
  'ProviderService.getProviders2': ({ arg0 }, { memory }) =>
    memory.providers
      .filter(({ status }) => arg0 === undefined || (status === '1') === (arg0 === 'true'))
      .map(providerXml),
  'ProgramService.getAllPrograms': (_args, { memory }) => memory.programs,
  'DemographicService.getDemographic': oneDemographic,
  'DemographicService.getDemographic2': oneDemographic,
  'DemographicService.searchDemographicsByAttributes': searchDemographics,
};

/** What was written after a second of the server's clock. */
const since = (at: unknown, rows: readonly AppointmentRow[], { profile }: Context) =>
  rows.filter((row) => moment(profile, row.updatedAt).slice(0, 19) > text(at).slice(0, 19));

/** LIKE with a wildcard on each side; accents and case do not count. No pattern finds everybody. */
function isLike(column: string, pattern: unknown): boolean {
  const plain = (value: string) => value.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const escaped = plain(text(pattern)).replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  return new RegExp(escaped.replaceAll('%', '.*'), 's').test(plain(column));
}

function integer(value: unknown): number {
  if (!/^-?\d+$/.test(text(value)))
    throw new SoapFault('soap:Client', `Unmarshalling Error: Not a number: ${text(value)} `);
  return Number(value);
}

/** One row without a patient's number, and Hibernate reads none of its list. */
const transfers = (context: Context, isAsked: (row: AppointmentRow) => boolean) =>
  told(context.memory.appointments.filter(isAsked), context);

function told(rows: readonly AppointmentRow[], context: Context) {
  if (rows.some(({ demographicNo }) => (demographicNo as number | null) === null))
    throw new Error(
      'org.hibernate.PropertyAccessException: Null value was assigned to a property [class ca.openosp.openo.commn.model.Appointment.demographicNo] of primitive type setter of ca.openosp.openo.commn.model.Appointment.demographicNo',
    );
  return rows.map((row) => transfer(row, context));
}

function transfer(row: AppointmentRow, { profile }: Context) {
  const { date, start, end, createdAt, updatedAt, creatorSecurityId: _hidden, ...rest } = row;
  return {
    ...rest,
    appointmentStartDateTime: momentAt(profile, date, start),
    appointmentEndDateTime: momentAt(profile, date, end),
    createDateTime: moment(profile, createdAt),
    programId: 0,
    updateDateTime: moment(profile, updatedAt),
  };
}

/** Steps of the clock since midnight: an hour off on a day whose clock the server believes to change. */
function getDayWorkSchedule({ arg0, arg1 }: Fields, { memory, profile }: Context) {
  const date = text(arg1).slice(0, 10);
  const template = memory.templates.get(`${text(arg0)} ${date}`);
  if (template === undefined) return [];
  const minutes = 1440 / template.length;
  const midnight = instant(profile, date);
  const timeSlots = Array.from(template).flatMap((code, index) => {
    if (code === '_') return [];
    const date = moment(profile, midnight + index * minutes * 60_000);
    return { date, scheduleCode: code.codePointAt(0) };
  });
  // A holiday has its steps all the same.
  return [{ holiday: memory.holidays.has(date), timeSlotDurationMin: minutes, timeSlots }];
}

const mayRead = (hasRole: boolean) => {
  if (!hasRole) throw new Error('missing required sec object (_demographic)');
};

function oneDemographic({ arg0 }: Fields, { memory, profile, hasRole }: Context) {
  mayRead(hasRole);
  const row = memory.demographic(integer(arg0));
  return row === undefined ? [] : [demographicXml(profile, row)];
}

function searchDemographics(args: Fields, { memory, profile, hasRole }: Context) {
  mayRead(hasRole);
  const { arg0, arg1, arg2, arg4, arg7, arg10, arg11 } = args;
  if ([arg0, arg1, arg2, arg4, arg7].every((each) => each === undefined))
    throw new Error('at least one parameter must be present');
  const isFound = (row: DemographicRow) =>
    isLike(row.hin, arg0) &&
    isLike(row.firstName, arg1) &&
    isLike(row.lastName, arg2) &&
    [row.phone, row.phone2 ?? ''].some((each) => isLike(each, arg7)) &&
    (arg4 === undefined ||
      [row.dobYear, row.dobMonth, row.dobDay].join('-') === text(arg4).slice(0, 10));
  const from = integer(arg10);
  return memory.demographics
    .filter(isFound)
    .slice(from, from + integer(arg11))
    .map((row) => demographicXml(profile, row));
}

/** The end arrives exclusive and is kept a millisecond before. No name is filled in. */
function rowOf(given: Fields) {
  const start = text(given.appointmentStartDateTime);
  const end = text(given.appointmentEndDateTime);
  const nullable = (name: string) => (given[name] === undefined ? null : text(given[name]));
  return {
    ...textsIn(given, 'providerNo', 'name', 'reason', 'notes', 'location', 'type', 'status'),
    date: start.slice(0, 10),
    start: secondsOf(start.slice(11, 19)),
    end: (secondsOf(end.slice(11, 19)) + 86_399) % 86_400,
    demographicNo: Number(given.demographicNo ?? 0),
    resources: nullable('resources'),
    remarks: nullable('remarks'),
    urgency: nullable('urgency'),
    reasonCode: given.reasonCode === undefined ? null : integer(given.reasonCode),
  };
}

function addAppointment({ arg0 }: Fields, { memory }: Context) {
  const creatorSecurityId = Number(credentials.securityId);
  const row = { ...rowOf(arg0 as Fields), creator: credentials.soap.userName, creatorSecurityId };
  return [memory.addAppointment(row).id];
}

/** What is not sent is emptied, but for the times. */
function updateAppointment({ arg0 }: Fields, { memory }: Context) {
  const given = arg0 as Fields;
  const row = memory.appointment(given.id);
  const { date, start, end } = row;
  const times = text(given.appointmentStartDateTime) === '' ? { date, start, end } : {};
  memory.change(row, { ...rowOf(given), ...times, lastUpdateUser: credentials.loginNo });
  return [];
}
