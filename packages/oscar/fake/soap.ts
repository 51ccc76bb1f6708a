/** OSCAR's SOAP services. The schedule asks nobody for a privilege: any login may do all of it. */
import { XMLBuilder, XMLParser } from 'fast-xml-parser';

import { type AppointmentRow, type Memory, clock, secondsOf } from './memory.ts';
import type { Profile } from './profiles.ts';
import { credentials } from './seed.ts';

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
}

type Fields = Readonly<Record<string, unknown>>;
interface Call {
  readonly operation: string;
  readonly args: Fields;
  readonly header: unknown;
}

/** A fault that names its reason, as WS-Security has it. */
class SoapFault extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

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
    if (service !== 'LoginService' && service !== 'SystemInfoService') assertLogin(call, context);
    const values = handlers[`${service}.${call.operation}`]?.(call.args, context);
    if (values === undefined) throw new Error(`no operation ${call.operation}`);
    return { status: 200, body: answer(call.operation, values) };
  } catch (error) {
    const code = error instanceof SoapFault ? error.code : 'soap:Server';
    const message = error instanceof Error ? error.message : 'java.lang.Exception';
    return {
      status: 500,
      body: envelope(
        `<soap:Fault><faultcode>${code}</faultcode>${builder.build({ faultstring: message })}</soap:Fault>`,
      ),
    };
  }
}

const envelope = (inside: string) =>
  `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${inside}</soap:Body></soap:Envelope>`;

const answer = (operation: string, values: readonly unknown[]) =>
  envelope(
    `<ns2:${operation}Response xmlns:ns1="x" xmlns:ns2="http://ws.oscarehr.org/">${values
      .map((value) => builder.build({ return: value }))
      .join('')}</ns2:${operation}Response>`,
  );

function assertLogin({ header }: Call, { token }: Context) {
  const { Security } = (header ?? {}) as { Security?: { UsernameToken?: Fields } };
  const given = Security?.UsernameToken;
  if (given === undefined) throw new SoapFault('ns1:InvalidSecurity', 'No security header');
  const password = given.Password as { '#text'?: string; '@Type'?: string } | undefined;
  const isRight =
    given.Username === credentials.securityId &&
    password?.['@Type'] === TYPE &&
    [token, credentials.soap.password].includes(password['#text'] ?? '');
  if (!isRight) throw new SoapFault('ns1:FailedAuthentication', 'The token is not valid');
}

const handlers: Readonly<Record<string, (args: Fields, context: Context) => readonly unknown[]>> = {
  'LoginService.login2': ({ arg0, arg1 }, { token }) => {
    const { userName, password } = credentials.soap;
    if (arg0 !== userName || arg1 !== password) throw new Error('Invalid Username/Password');
    return [{ securityId: credentials.securityId, securityTokenKey: token }];
  },
  'SystemInfoService.isAlive': () => ['alive'],
  'SystemInfoService.getServerTime': (_args, { memory, profile }) => [
    moment(profile, memory.now()),
  ],
  'ScheduleService.getDayWorkSchedule': getDayWorkSchedule,
  'ScheduleService.getAppointmentTypes': (_args, { memory }) => memory.types,
  'ScheduleService.getAppointmentsForDateRangeAndProvider2': (args, context) =>
    context.memory.appointments
      .filter(
        ({ date, providerNo }) =>
          date >= text(args.arg0).slice(0, 10) &&
          date < text(args.arg1).slice(0, 10) &&
          providerNo === args.arg2,
      )
      .map((row) => transfer(row, context)),
  'ScheduleService.getAppointmentsForPatient2': (args, context) =>
    context.memory.appointments
      .filter(({ demographicNo }) => demographicNo === Number(args.arg0))
      .toReversed()
      .slice(Number(args.arg1), Number(args.arg1) + Number(args.arg2))
      .map((row) => transfer(row, context)),
  'ScheduleService.getAppointment2': (args, context) =>
    context.memory.appointments
      .filter(({ id }) => id === Number(args.arg0))
      .map((row) => transfer(row, context)),
  'ScheduleService.getAppointmentsUpdatedAfterDate': (args, context) =>
    context.memory.appointments
      .filter(
        (row) => moment(context.profile, row.updatedAt).slice(0, 19) > text(args.arg0).slice(0, 19),
      )
      .sort((a, b) => a.updatedAt - b.updatedAt)
      .slice(0, Number(args.arg1))
      .map((row) => transfer(row, context)),
  'ScheduleService.addAppointment': addAppointment,
  'ScheduleService.updateAppointment': updateAppointment,
  'DemographicService.searchDemographicsByAttributes': ({ arg0 }, { memory }) =>
    memory.demographics.filter(({ hin }) => hin.includes(text(arg0))),
};

const text = (value: unknown) => (typeof value === 'string' ? value : '');

/** The server's wall clock with the offset that it believes in. */
function moment(profile: Profile, at: number): string {
  const hours = profile.hours(new Date(at).toISOString().slice(0, 10));
  const wall = new Date(at + hours * 3_600_000).toISOString().slice(0, 19);
  return `${wall}${offset(profile, wall)}`;
}

const offset = (profile: Profile, date: string) =>
  profile.zulu ? 'Z' : `-0${-profile.hours(date.slice(0, 10))}:00`;

function transfer(row: AppointmentRow, { profile }: Context) {
  const { date, start, end, updatedAt, ...rest } = row;
  return {
    ...rest,
    appointmentStartDateTime: `${date}T${clock(start)}${offset(profile, date)}`,
    appointmentEndDateTime: `${date}T${clock(end)}${offset(profile, date)}`,
    updateDateTime: moment(profile, updatedAt),
  };
}

function getDayWorkSchedule({ arg0, arg1 }: Fields, { memory, profile }: Context) {
  const date = text(arg1).slice(0, 10);
  const template = memory.templates.get(`${text(arg0)} ${date}`);
  if (template === undefined) return [];
  const minutes = 1440 / template.length;
  const timeSlots = Array.from(template).flatMap((code, index) =>
    code === '_'
      ? []
      : [
          {
            date: `${date}T${clock(index * minutes * 60)}${offset(profile, date)}`,
            scheduleCode: code.codePointAt(0),
          },
        ],
  );
  // A holiday has its steps all the same.
  return [{ holiday: memory.holidays.has(date), timeSlotDurationMin: minutes, timeSlots }];
}

/** The end arrives exclusive and is kept a millisecond before. No name is filled in. */
function rowOf(args: Fields) {
  const given = args.arg0 as Fields;
  const start = text(given.appointmentStartDateTime);
  const end = text(given.appointmentEndDateTime);
  return {
    providerNo: text(given.providerNo),
    date: start.slice(0, 10),
    start: secondsOf(start.slice(11, 19)),
    end: (secondsOf(end.slice(11, 19)) + 86_399) % 86_400,
    name: text(given.name),
    demographicNo: Number(given.demographicNo),
    reason: text(given.reason),
    notes: text(given.notes),
    location: text(given.location),
    type: text(given.type),
    status: text(given.status),
  };
}

function addAppointment(args: Fields, { memory }: Context) {
  return [memory.addAppointment({ ...rowOf(args), creator: credentials.soap.userName }).id];
}

/** What is not sent is emptied, but for the times. */
function updateAppointment(args: Fields, { memory }: Context) {
  const given = args.arg0 as Fields;
  const row = memory.appointment(given.id);
  const to = rowOf(args);
  const times =
    text(given.appointmentStartDateTime) === ''
      ? { date: row.date, start: row.start, end: row.end }
      : {};
  memory.change(row, { ...to, ...times });
  return [];
}
