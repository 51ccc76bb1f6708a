/** OSCAR's REST services, /ws/services: what they answer, and what they let pass. */
import {
  type AppointmentRow,
  type DemographicRow,
  type Memory,
  clock,
  cut,
  secondsOf,
} from './memory.ts';
import type { Profile } from './profiles.ts';

type Body = Readonly<Record<string, unknown>>;

export interface Answer {
  /** JSON; undefined is an empty answer. */
  readonly json?: unknown;
  readonly xml?: string;
  readonly status?: number;
}

interface Context {
  readonly memory: Memory;
  readonly profile: Profile;
  readonly actsAs: string;
  readonly query: URLSearchParams;
  readonly body: Body;
}

type Handler = (context: Context, ...parts: string[]) => Answer;

const routes: readonly (readonly [string, RegExp, Handler])[] = [
  [
    'GET',
    /^\/status\/checkIfAuthed$/,
    ({ actsAs }) => ({ json: { success: true, message: actsAs } }),
  ],
  ['GET', /^\/providerService\/providers_json$/, listProviders],
  ['POST', /^\/providerService\/providers\/search$/, searchProviders],
  ['GET', /^\/providerService\/provider\/([^/]+)$/, oneProvider],
  [
    'GET',
    /^\/schedule\/codes$/,
    ({ memory }) => ({ json: memory.codes.map((row) => ({ ...row, id: null })) }),
  ],
  ['GET', /^\/schedule\/types$/, ({ memory }) => ({ json: { types: memory.types } })],
  ['GET', /^\/schedule\/fetchDays\/([\d-]+)\/([\d-]+)\/([^/]+)$/, fetchDays],
  ['POST', /^\/schedule\/getAppointment$/, getAppointment],
  ['POST', /^\/schedule\/add$/, addAppointment],
  ['POST', /^\/schedule\/appointment\/(\d+)\/updateStatus$/, updateStatus],
  ['POST', /^\/schedule\/(\d+)\/appointmentHistory$/, history],
  ['POST', /^\/demographics\/search$/, search],
  ['GET', /^\/demographics\/(?:basic\/)?(\d+)$/, demographic],
  ['POST', /^\/demographics$/, createDemographic],
  ['PUT', /^\/demographics$/, overwriteDemographic],
  ['POST', /^\/tickler\/add$/, addTickler],
  ['POST', /^\/document\/saveDocumentToDemographic$/, saveDocument],
];

export const isRestWrite = (method: string, path: string) =>
  method !== 'GET' && !/(search|getAppointment|appointmentHistory)$/.test(path);

/** Undefined where no service stands at this path. */
export function answerRest(method: string, path: string, context: Context): Answer | undefined {
  for (const [of, pattern, handler] of routes) {
    const match = of === method ? pattern.exec(path) : null;
    if (match !== null) return handler(context, ...match.slice(1));
  }
  return undefined;
}

/** Jackson stumbles over a key that it does not know. */
function assertKeys(body: Body, keys: string) {
  const unknown = Object.keys(body).find((key) => !keys.split(' ').includes(key));
  if (unknown !== undefined)
    throw new Error(`com.fasterxml.jackson.UnrecognizedPropertyException: ${unknown}`);
}

const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Midnight, or a time of the day, in the zone that the server believes in. */
function instant(profile: Profile, date: string, seconds = 0): number {
  return Date.parse(`${date}T00:00:00Z`) + (seconds - profile.hours(date) * 3600) * 1000;
}

const dateOf = (profile: Profile, date: string) =>
  profile.dates === 'text' ? date : instant(profile, date);

function listProviders(context: Context): Answer {
  return providersThat(context, true);
}

function searchProviders(context: Context): Answer {
  assertKeys(context.body, 'searchTerm active');
  return providersThat(context, context.body.active === true);
}

function providersThat({ memory }: Context, enabled: boolean): Answer {
  const content = memory.providers
    .filter(({ status }) => (status === '1') === enabled)
    .map(({ providerNo, firstName, lastName }) => ({
      providerNo,
      firstName,
      lastName,
      name: `${lastName}, ${firstName}`,
      enabled,
    }));
  return { json: { offset: 0, limit: 0, total: 0, content } };
}

function oneProvider({ memory, profile }: Context, no = ''): Answer {
  const found = memory.providers.find(({ providerNo }) => providerNo === decodeURIComponent(no));
  if (found !== undefined) return { json: found };
  return profile.unknownProvider === 404 ? { status: 404 } : {};
}

function fetchDays({ memory }: Context, from = '', to = '', providers = ''): Answer {
  const numbers = providers.split(',').map((no) => {
    if (!/^\d+$/.test(no)) throw new Error('java.lang.NumberFormatException');
    return Number(no);
  });
  const content = memory.appointments
    .filter((row) => row.date >= from && row.date <= to && numbers.includes(Number(row.providerNo)))
    .map((row) => ({
      appointmentNo: row.id,
      providerNo: row.providerNo,
      appointmentDate: row.date,
      startTime: clock(row.start),
      demographicNo: row.demographicNo,
      notes: row.notes,
      status: row.status.slice(0, 1),
      lastName: row.name.split(',')[0],
      firstName: row.name.split(',')[1] ?? '',
    }));
  return { json: { total: 0, content } };
}

function appointmentJson(profile: Profile, row: AppointmentRow) {
  const { date, start, end, updatedAt, ...rest } = row;
  return {
    ...rest,
    appointmentDate: dateOf(profile, date),
    startTime: clock(start),
    endTime: clock(end),
    updateDateTime: updatedAt,
  };
}

function getAppointment({ memory, profile, body }: Context): Answer {
  assertKeys(body, 'id');
  return { json: { appointment: appointmentJson(profile, memory.appointment(body.id)) } };
}

/** No look at overlaps, templates, holidays, limits or the status; 25:75 rolls over. */
function addAppointment({ memory, profile, actsAs, body }: Context): Answer {
  assertKeys(
    body,
    'providerNo appointmentDate startTime duration demographicNo status type reason notes location resources urgency reasonCode',
  );
  const start = secondsOf(text(body.startTime)) % 86_400;
  const patient = memory.demographic(body.demographicNo);
  const row = memory.addAppointment({
    providerNo: text(body.providerNo),
    date: text(body.appointmentDate),
    start,
    end: (start + (Number(body.duration) - 1) * 60) % 86_400,
    name: patient === undefined ? '' : `${patient.lastName},${patient.firstName}`,
    demographicNo: Number(body.demographicNo),
    reason: text(body.reason),
    notes: text(body.notes),
    location: text(body.location),
    type: text(body.type),
    status: text(body.status),
    creator: actsAs,
  });
  // What was just made has instants where what is read back has texts.
  const appointment = {
    ...appointmentJson(profile, row),
    appointmentDate: instant(profile, row.date),
    startTime: instant(profile, row.date, row.start),
    endTime: instant(profile, row.date, row.end),
  };
  return { json: { appointment } };
}

function updateStatus({ memory, profile, body }: Context, id = ''): Answer {
  assertKeys(body, 'status');
  const row = memory.appointment(id);
  memory.change(row, { status: text(body.status) });
  return { json: { appointment: appointmentJson(profile, row) } };
}

function history({ memory, profile }: Context, no = ''): Answer {
  const rows = memory.appointments.filter(
    (row) => row.demographicNo === Number(no) && !row.status.startsWith('D'),
  );
  return { json: { appointments: rows.map((row) => appointmentJson(profile, row)).toReversed() } };
}

const inactive = new Set<string | null>(['IN', 'DE', 'IC', 'ID', 'MO', 'FI']);

/** Who has no status is in neither list. */
function search({ memory, body, query }: Context): Answer {
  const keys = ['type', 'term', 'active', 'integrator', 'outofdomain', 'params'];
  const missing = keys.find((key) => !Object.hasOwn(body, key));
  if (missing !== undefined) throw new Error(`net.sf.json.JSONException: ${missing}`);
  if (!query.has('startIndex') || !query.has('itemsToReturn')) throw new Error('NullPointer');
  const term = text(body.term);
  const [year, month, day = ''] = term.split('-');
  const isFound = (row: DemographicRow) =>
    body.type === 'DOB'
      ? row.dobYear === year &&
        Number(row.dobMonth) === Number(month) &&
        new RegExp(day.replace(/^0/, '')).test(row.dobDay)
      : new RegExp(term).test(row.hin);
  const content = memory.demographics
    .filter(
      (row) =>
        isFound(row) &&
        row.patientStatus !== null &&
        inactive.has(row.patientStatus) !== (body.active === true),
    )
    .map(({ demographicNo, firstName, lastName, hin }) => ({
      demographicNo,
      firstName,
      lastName,
      hin,
    }));
  return { json: { total: content.length, content } };
}

function demographic({ memory }: Context, no = ''): Answer {
  const row = memory.demographic(no);
  // Names come in capitals, as they stand in many clinics.
  return row === undefined
    ? { status: 204 }
    : {
        json: {
          ...row,
          firstName: row.firstName.toUpperCase(),
          lastName: row.lastName.toUpperCase(),
          extras: [],
        },
      };
}

const demographicKeys =
  'demographicNo firstName lastName sex email phone dobYear dobMonth dobDay hin ver hcType providerNo patientStatus admissionProgramId address previousAddress extras';

/** Nothing keeps the same card from being on file twice. */
function createDemographic({ memory, body }: Context): Answer {
  assertKeys(body, demographicKeys);
  // The record is written first, and then fails to be admitted anywhere.
  const row = { ...demographicOf(body), demographicNo: memory.nextId(), patientStatus: 'AC' };
  memory.demographics.push(row);
  if (body.admissionProgramId === undefined) throw new Error('program_id cannot be null');
  return { json: row };
}

/** What is not sent is emptied. */
function overwriteDemographic({ memory, profile, body }: Context): Answer {
  assertKeys(body, demographicKeys);
  const row = memory.demographic(body.demographicNo);
  if (row === undefined) throw new Error('java.lang.NullPointerException');
  Object.assign(row, demographicOf(body));
  const fields = Object.entries(row).map(([key, value]) => `<${key}>${value}</${key}>`);
  return profile.putAnswers === 'json'
    ? { json: row }
    : { xml: `<demographicTo1>${fields.join('')}</demographicTo1>` };
}

function demographicOf(body: Body) {
  const column = (name: string) => cut(name, text(body[name]));
  return {
    firstName: column('firstName'),
    lastName: column('lastName'),
    sex: column('sex'),
    dobYear: column('dobYear'),
    dobMonth: column('dobMonth'),
    dobDay: column('dobDay'),
    hin: column('hin'),
    ver: column('ver'),
    hcType: column('hcType'),
    providerNo: column('providerNo'),
    email: column('email'),
    phone: column('phone'),
  };
}

function addTickler({ memory, body }: Context): Answer {
  assertKeys(body, 'demographicNo message taskAssignedTo priority status serviceDate categoryId');
  if (!body.demographicNo || !body.taskAssignedTo)
    return { json: { success: false, message: null } };
  memory.ticklers.push({
    id: memory.nextId(),
    demographicNo: Number(body.demographicNo),
    message: text(body.message),
    status: text(body.status),
    priority: text(body.priority),
    taskAssignedTo: text(body.taskAssignedTo),
    serviceDate: Number(body.serviceDate),
  });
  return { json: { success: true, message: null } };
}

function saveDocument({ memory, body }: Context): Answer {
  assertKeys(
    body,
    'type fileName description contentType source numberOfPages demographicNo providerNo fileContents',
  );
  const row = {
    documentNo: memory.nextId(),
    demographicNo: Number(body.demographicNo),
    fileName: text(body.fileName),
    providerNo: text(body.providerNo),
    contents: text(body.fileContents),
  };
  memory.documents.push(row);
  return { json: { documentNo: row.documentNo } };
}
