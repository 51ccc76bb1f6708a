/** OSCAR's REST services, /ws/services: what they answer, and what they let pass. */
import {
  type AppointmentRow,
  type DemographicRow,
  type Fields,
  type Memory,
  cut,
  secondsOf,
  text,
  textsIn,
} from './memory.ts';
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

interface Answer {
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
  readonly body: Fields;
}

type Handler = (context: Context, ...parts: string[]) => Answer;

/** Whom it is for, the keys that Jackson knows of its body, and what the provider needs a role for. */
const routes: readonly (readonly [RegExp, Handler, keys?: string, right?: string])[] = [
  [/^GET \/status\/checkIfAuthed$/, ({ actsAs }) => yes(true, actsAs)],
  [
    /^GET \/persona\/hasRight$/,
    ({ lacks, query }) => yes(!lacks.has(query.get('objectName') ?? '')),
  ],
  [/^GET \/providerService\/providers_json$/, (context) => providersThat(context, true)],
  [
    /^POST \/providerService\/providers\/search$/,
    (context) => providersThat(context, context.body.active === true),
    'searchTerm active',
  ],
  [/^GET \/providerService\/provider\/([^/]+)$/, oneProvider],
  [/^GET \/schedule\/codes$/, ({ memory }) => ({ json: memory.codes.map(codeFound) })],
  [
    /^GET \/schedule\/types$/,
    ({ memory }) => ({ json: scheduling({ types: memory.types.map(typeFound) }) }),
  ],
  [/^GET \/schedule\/statuses$/, (context) => ({ json: listed(context, statuses()) })],
  [
    /^GET \/oauth\/info$/,
    ({ memory, actsAs }) => ({
      json: { providers: memory.provider(actsAs) ?? null, login: actsAs, roles: [''] },
    }),
  ],
  [/^GET \/schedule\/fetchDays\/([\d-]+)\/([\d-]+)\/([^/]+)$/, fetchDays],
  [/^POST \/schedule\/getAppointment$/, getAppointment, 'id'],
  [
    /^POST \/schedule\/add$/,
    addAppointment,
    'providerNo appointmentDate startTime duration demographicNo status type reason notes location resources urgency reasonCode',
  ],
  [/^POST \/schedule\/deleteAppointment$/, deleteAppointment, 'id', '_appointment'],
  [/^POST \/schedule\/appointment\/(\d+)\/updateStatus$/, updateStatus, 'status', '_appointment'],
  [/^POST \/demographics\/search$/, search],
  // It answers XML alone.
  [/^GET \/demographics\/merge\/\d+$/, () => ({ status: 406 })],
  [/^GET \/demographics\/(?:basic\/)?(\d+)$/, demographic],
  [
    /^POST \/demographics$/,
    createDemographic,
    'demographicNo firstName lastName sex email phone alternativePhone dobYear dobMonth dobDay hin ver hcType providerNo patientStatus admissionProgramId address previousAddress extras',
    '_demographic',
  ],
  [
    /^POST \/tickler\/add$/,
    addTickler,
    'demographicNo message taskAssignedTo priority status serviceDate categoryId',
    '_tickler',
  ],
  [
    /^POST \/document\/saveDocumentToDemographic$/,
    saveDocument,
    'type fileName description contentType source numberOfPages demographicNo providerNo fileContents',
    '_edoc',
  ],
];

export const isRestWrite = (method: string, path: string) =>
  method !== 'GET' && !/(search|getAppointment)$/.test(path);

export function answerRest(method: string, path: string, context: Context) {
  const { status = 200, json, broken } = handled(`${method} ${path}`, context);
  return { status, text: broken ?? (json === undefined ? '' : JSON.stringify(json)) };
}

function handled(request: string, context: Context): Answer {
  const { profile, lacks, body } = context;
  for (const [asked, handler, keys, right = ''] of routes) {
    const match = asked.exec(request);
    if (match === null || (handler === saveDocument && !profile.takesDocuments)) continue;
    if (lacks.has(right)) throw new Error('java.lang.RuntimeException: Access Denied');
    if (keys !== undefined) assertKeys(body, keys);
    return handler(context, ...match.slice(1));
  }
  // No service stands at this path.
  return { status: 404 };
}

/** Jackson stumbles over a key that it does not know. */
function assertKeys(body: Fields, keys: string) {
  const unknown = Object.keys(body).find((key) => !keys.split(' ').includes(key));
  if (unknown !== undefined) throw new Unreadable(unknown);
}

const yes = (success: boolean, message: string | null = null): Answer => ({
  json: { success, message },
});

const codeFound = (row: Memory['codes'][number]) => ({ ...row, id: null, color: '#BFEFFF' });
const typeFound = (row: Memory['types'][number]) => ({
  notes: '',
  reason: '',
  location: '',
  resources: '',
  ...row,
});

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
  const row = memory.appointment(body.id);
  const demographic = { demographicNo: row.demographicNo };
  const last = { provider: undefined, billingDetail: undefined };
  const appointment = { ...appointmentJson(profile, row), ...last, demographic };
  const json = JSON.stringify({ appointment });
  return { broken: `${json}${xmlFault('com.fasterxml.jackson.databind.JsonMappingException')}` };
}

/** How CXF says in XML that it failed, whatever was asked for. */
export const xmlFault = (message: string) =>
  `<ns1:XMLFault xmlns:ns1="http://cxf.apache.org/bindings/xformat"><ns1:faultstring xmlns:ns1="http://cxf.apache.org/bindings/xformat">${message}</ns1:faultstring></ns1:XMLFault>`;

/** No look at overlaps, templates, holidays, limits or the status; 25:75 rolls over. */
function addAppointment({ memory, profile, actsAs, body }: Context): Answer {
  const start = secondsOf(text(body.startTime)) % 86_400;
  const patient = memory.demographic(body.demographicNo);
  const row = memory.addAppointment({
    ...textsIn(body, 'providerNo', 'reason', 'notes', 'location', 'type', 'status'),
    date: text(body.appointmentDate),
    start,
    end: (start + (Number(body.duration) - 1) * 60) % 86_400,
    name: patient === undefined ? '' : `${patient.lastName}, ${patient.firstName}`,
    demographicNo: Number(body.demographicNo),
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
function updateStatus({ memory, profile, actsAs, body }: Context, id = ''): Answer {
  const row = memory.appointment(id);
  const status = text(body.status);
  const appointment = { ...appointmentJson(profile, row), status, lastUpdateUser: actsAs };
  memory.change(row, { status, lastUpdateUser: actsAs });
  return { json: scheduling({ appointment }) };
}

function deleteAppointment({ memory, body }: Context): Answer {
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

/** Nothing keeps the same card from being on file twice. */
function createDemographic(context: Context): Answer {
  const { memory, actsAs, body } = context;
  const address = body.address as Fields;
  assertKeys(address, 'address city province postal');
  const born = textsIn(body, 'dobYear', 'dobMonth', 'dobDay');
  // The record is written first, and then fails to be admitted anywhere.
  const row = {
    ...textsIn(body, 'firstName', 'lastName', 'sex', 'hin', 'hcType', 'providerNo', 'phone'),
    ...born,
    email: body.email === undefined ? null : cut('email', text(body.email)),
    phone2: cut('phone', text(body.alternativePhone)),
    demographicNo: memory.nextId(),
    patientStatus: 'AC',
    // NULL in each of its columns where nothing is sent.
    address:
      Object.keys(address).length === 0
        ? null
        : textsIn(address, 'address', 'city', 'province', 'postal'),
    joined: null,
    lastUpdateUser: actsAs,
  };
  memory.demographics.push(row);
  if (body.admissionProgramId === undefined) throw new Error('program_id cannot be null');
  return { json: demographicOut(context, row) };
}

function addTickler({ memory, body }: Context): Answer {
  if (!body.demographicNo || !body.taskAssignedTo) return yes(false);
  memory.ticklers.push({
    demographicNo: Number(body.demographicNo),
    message: text(body.message),
    taskAssignedTo: text(body.taskAssignedTo),
    serviceDate: Number(body.serviceDate),
  });
  return yes(true);
}

function saveDocument({ memory, actsAs, body }: Context): Answer {
  const row = {
    documentNo: memory.nextId(),
    demographicNo: Number(body.demographicNo),
    ...textsIn(body, 'fileName', 'providerNo'),
    contents: text(body.fileContents),
  };
  memory.documents.push(row);
  // The file has a name of its own: the time, and what was sent without hyphens.
  const stamp = new Date(memory.now()).toISOString().replaceAll(/\D/g, '').slice(0, 14);
  const fileName = `${stamp}_${row.fileName.replaceAll('-', '')}`;
  return { json: documentJson(row.documentNo, fileName, actsAs, memory.now()) };
}
