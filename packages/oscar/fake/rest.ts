/** OSCAR's REST services, /ws/services: what they answer, and what they let pass. */
import { type AppointmentRow, type DemographicRow, type Memory, cut, secondsOf } from './memory.ts';
import { type Profile, instant } from './profiles.ts';
import {
  appointmentJson,
  demographicFound,
  demographicJson,
  documentJson,
  providerAlone,
  providerListed,
  scheduling,
} from './shapes.ts';

type Body = Readonly<Record<string, unknown>>;

export interface Answer {
  /** JSON; undefined is an empty answer. */
  readonly json?: unknown;
  /** Sent as JSON, which it is not. */
  readonly broken?: string;
  readonly status?: number;
}

/** What Jackson cannot read is answered with a 500 and nothing else. */
export class Unreadable extends Error {}

interface Context {
  readonly memory: Memory;
  readonly profile: Profile;
  readonly actsAs: string;
  /** What the roles of its provider do not let it write to, such as _tickler. */
  readonly lacks: ReadonlySet<string>;
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
  ['GET', /^\/persona\/hasRight$/, hasRight],
  ['GET', /^\/providerService\/providers_json$/, (context) => providersThat(context, true)],
  ['POST', /^\/providerService\/providers\/search$/, searchProviders],
  ['GET', /^\/providerService\/provider\/([^/]+)$/, oneProvider],
  [
    'GET',
    /^\/schedule\/codes$/,
    ({ memory }) => ({
      json: memory.codes.map((row) => ({ ...row, id: null, color: '#BFEFFF' })),
    }),
  ],
  [
    'GET',
    /^\/schedule\/types$/,
    ({ memory }) => ({
      json: scheduling({ types: memory.types.map((row) => ({ ...ofNoType, ...row })) }),
    }),
  ],
  ['GET', /^\/schedule\/statuses$/, (context) => ({ json: listed(context, statuses()) })],
  [
    'GET',
    /^\/oauth\/info$/,
    ({ memory, actsAs }) => ({
      json: { providers: memory.provider(actsAs) ?? null, login: actsAs, roles: [''] },
    }),
  ],
  ['GET', /^\/schedule\/fetchDays\/([\d-]+)\/([\d-]+)\/([^/]+)$/, fetchDays],
  ['POST', /^\/schedule\/getAppointment$/, getAppointment],
  ['POST', /^\/schedule\/add$/, addAppointment],
  ['POST', /^\/schedule\/deleteAppointment$/, deleteAppointment],
  ['POST', /^\/schedule\/appointment\/(\d+)\/updateStatus$/, updateStatus],
  ['POST', /^\/demographics\/search$/, search],
  // It answers XML alone.
  ['GET', /^\/demographics\/merge\/\d+$/, () => ({ status: 406 })],
  ['GET', /^\/demographics\/(?:basic\/)?(\d+)$/, demographic],
  ['POST', /^\/demographics$/, createDemographic],
  ['POST', /^\/tickler\/add$/, addTickler],
  ['POST', /^\/document\/saveDocumentToDemographic$/, saveDocument],
];

export const isRestWrite = (method: string, path: string) =>
  method !== 'GET' && !/(search|getAppointment)$/.test(path);

/** Undefined where no service stands at this path. */
export function answerRest(method: string, path: string, context: Context): Answer | undefined {
  if (path.startsWith('/document/') && !context.profile.takesDocuments) return undefined;
  for (const [of, pattern, handler] of routes) {
    const match = of === method ? pattern.exec(path) : null;
    if (match !== null) return handler(context, ...match.slice(1));
  }
  return undefined;
}

function hasRight({ lacks, query }: Context): Answer {
  return { json: { success: !lacks.has(query.get('objectName') ?? ''), message: null } };
}

/** Each service looks at the provider's roles before it does anything. */
function assertMay({ lacks }: Context, object: string) {
  if (lacks.has(object)) throw new Error('java.lang.RuntimeException: Access Denied');
}

/** Jackson stumbles over a key that it does not know. */
function assertKeys(body: Body, keys: string) {
  const unknown = Object.keys(body).find((key) => !keys.split(' ').includes(key));
  if (unknown !== undefined) throw new Unreadable(unknown);
}

const text = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const ofNoType = { notes: '', reason: '', location: '', resources: '' };

/** The letters that every OSCAR comes with. */
const statuses = () =>
  Array.from('tTHPEabcdefhNCB', (status, index) => ({
    id: index + 1,
    status,
    description: '',
    color: '#FDFEC7',
    icon: '1.gif',
    active: 1,
    editable: 1,
    shortLetters: '',
    shortLetterColour: '0',
  }));

const listed = ({ memory }: Context, content: readonly unknown[]) => ({
  offset: 0,
  limit: 0,
  total: content.length,
  timestamp: memory.now(),
  content,
  query: null,
});

function searchProviders(context: Context): Answer {
  assertKeys(context.body, 'searchTerm active');
  return providersThat(context, context.body.active === true);
}

function providersThat(context: Context, enabled: boolean): Answer {
  const found = context.memory.providers.filter(
    (row) => row.status === (enabled ? '1' : '0') && row.providerNo !== '-1',
  );
  return { json: listed(context, found.map(providerListed)) };
}

function oneProvider({ memory }: Context, no = ''): Answer {
  const found = memory.provider(decodeURIComponent(no));
  return found === undefined ? { status: 404 } : { json: providerAlone(found) };
}

/** It takes the text of a status for a letter, and so reads no row. */
function fetchDays(context: Context, from = '', to = '', providers = ''): Answer {
  const numbers = providers.split(',');
  const isAsked = ({ date, providerNo }: AppointmentRow) =>
    date >= from && date <= to && numbers.includes(providerNo);
  if (context.memory.appointments.some(isAsked))
    return { status: 500, broken: 'Internal server error' };
  const { content: appointmentExt, ...page } = listed(context, []);
  return { json: { ...page, appointmentExt } };
}

/** It gives up in the middle of the patient, after it said that all is well. */
function getAppointment({ memory, profile, body }: Context): Answer {
  assertKeys(body, 'id');
  const row = memory.appointment(body.id);
  const { provider: _provider, billingDetail: _detail, ...first } = appointmentJson(profile, row);
  const demographic = { demographicNo: row.demographicNo };
  const json = JSON.stringify({ appointment: { ...first, demographic } });
  return { broken: `${json}${xmlFault('com.fasterxml.jackson.databind.JsonMappingException')}` };
}

/** How CXF says in XML that it failed, whatever was asked for. */
export const xmlFault = (message: string) =>
  `<ns1:XMLFault xmlns:ns1="http://cxf.apache.org/bindings/xformat"><ns1:faultstring xmlns:ns1="http://cxf.apache.org/bindings/xformat">${message}</ns1:faultstring></ns1:XMLFault>`;

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
    name: patient === undefined ? '' : `${patient.lastName}, ${patient.firstName}`,
    demographicNo: Number(body.demographicNo),
    reason: text(body.reason),
    notes: text(body.notes),
    location: text(body.location),
    type: text(body.type),
    status: text(body.status),
    creator: actsAs,
    lastUpdateUser: actsAs,
    remarks: '',
  });
  // What was just made has instants where what is read back has texts.
  const appointment = {
    ...appointmentJson(profile, row),
    appointmentDate: instant(profile, row.date, row.start),
    startTime: instant(profile, row.date, row.start),
    endTime: instant(profile, row.date, row.end),
  };
  return { json: scheduling({ appointment }) };
}

/** Answers the status as it was sent, and the row as it was read before. */
function updateStatus(context: Context, id = ''): Answer {
  const { memory, profile, actsAs, body } = context;
  assertMay(context, '_appointment');
  assertKeys(body, 'status');
  const row = memory.appointment(id);
  const status = text(body.status);
  const appointment = { ...appointmentJson(profile, row), status, lastUpdateUser: actsAs };
  memory.change(row, { status, lastUpdateUser: actsAs });
  return { json: scheduling({ appointment }) };
}

function deleteAppointment(context: Context): Answer {
  const { memory, body } = context;
  assertMay(context, '_appointment');
  assertKeys(body, 'id');
  const row = memory.appointment(body.id);
  memory.archives.push({ ...row });
  memory.appointments.splice(memory.appointments.indexOf(row), 1);
  return {};
}

const inactive = new Set<string | null>(['IN', 'DE', 'IC', 'ID', 'MO', 'FI']);

/** Who has no status is in neither list, and a chart that was merged comes as its head once more. */
function search(context: Context): Answer {
  const { memory, body, query } = context;
  const keys = ['type', 'term', 'active', 'integrator', 'outofdomain', 'params'];
  const missing = keys.find((key) => !Object.hasOwn(body, key));
  if (missing !== undefined) throw new Error(`net.sf.json.JSONException: ${missing}`);
  if (!query.has('startIndex') || !query.has('itemsToReturn')) throw new Error('NullPointer');
  const content = memory.demographics
    .filter(
      (row) =>
        isFound(row, text(body.type), text(body.term)) &&
        row.patientStatus !== null &&
        inactive.has(row.patientStatus) !== (body.active === true),
    )
    .map((row) => {
      const head = memory.demographic(row.headRecord);
      return head === undefined
        ? demographicFound(row, memory.provider(row.providerNo))
        : { ...demographicFound(head), providerName: ',' };
    });
  return { json: listed(context, content) };
}

/** A birth date is found by its three columns, which may lack their zeros in the row. */
function isFound(row: DemographicRow, type: string, term: string): boolean {
  if (type === 'DOB') return `${row.dobYear}-${row.dobMonth}-${row.dobDay}` === term;
  if (type !== 'Name') return new RegExp(term).test(row.hin);
  const names = term.toUpperCase().split(',');
  return [row.lastName, row.firstName].every((name, index) =>
    name.toUpperCase().startsWith(names[index]?.trim() ?? ''),
  );
}

function demographic(context: Context, no = ''): Answer {
  const row = context.memory.demographic(no);
  return row === undefined ? { status: 204 } : { json: demographicOut(context, row) };
}

const demographicOut = ({ memory, profile }: Context, row: DemographicRow) =>
  demographicJson(profile, row, memory.provider(row.providerNo));

const demographicKeys =
  'demographicNo firstName lastName sex email phone alternativePhone dobYear dobMonth dobDay hin ver hcType providerNo patientStatus admissionProgramId address previousAddress extras';

/** Nothing keeps the same card from being on file twice. */
function createDemographic(context: Context): Answer {
  const { memory, actsAs, body } = context;
  assertMay(context, '_demographic');
  assertKeys(body, demographicKeys);
  const column = (name: string) => cut(name, text(body[name]));
  // The record is written first, and then fails to be admitted anywhere.
  const row = {
    firstName: column('firstName'),
    lastName: column('lastName'),
    sex: column('sex'),
    dobYear: column('dobYear'),
    dobMonth: column('dobMonth'),
    dobDay: column('dobDay'),
    hin: column('hin'),
    hcType: column('hcType'),
    providerNo: column('providerNo'),
    email: body.email === undefined ? null : column('email'),
    phone: column('phone'),
    phone2: cut('phone', text(body.alternativePhone)),
    demographicNo: memory.nextId(),
    patientStatus: 'AC',
    address: addressOf(body.address),
    joined: null,
    lastUpdateUser: actsAs,
  };
  memory.demographics.push(row);
  if (body.admissionProgramId === undefined) throw new Error('program_id cannot be null');
  return { json: demographicOut(context, row) };
}

/** NULL in each of its columns where nothing is sent. */
function addressOf(sent: unknown): NonNullable<DemographicRow['address']> | null {
  const body = sent as Body;
  assertKeys(body, 'address city province postal');
  if (Object.keys(body).length === 0) return null;
  const column = (name: string) => cut(name, text(body[name]));
  return {
    address: column('address'),
    city: column('city'),
    province: column('province'),
    postal: column('postal'),
  };
}

function addTickler(context: Context): Answer {
  const { memory, body } = context;
  assertMay(context, '_tickler');
  assertKeys(body, 'demographicNo message taskAssignedTo priority status serviceDate categoryId');
  if (!body.demographicNo || !body.taskAssignedTo)
    return { json: { success: false, message: null } };
  memory.ticklers.push({
    demographicNo: Number(body.demographicNo),
    message: text(body.message),
    taskAssignedTo: text(body.taskAssignedTo),
    serviceDate: Number(body.serviceDate),
  });
  return { json: { success: true, message: null } };
}

function saveDocument(context: Context): Answer {
  const { memory, actsAs, body } = context;
  assertMay(context, '_edoc');
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
  // The file has a name of its own: the time, and what was sent without hyphens.
  const fileName = `${stamp(memory.now())}_${row.fileName.replaceAll('-', '')}`;
  return { json: documentJson(row.documentNo, fileName, actsAs, memory.now()) };
}

const stamp = (at: number) => new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 14);
