import type {
  ApiClosingCall,
  ApiClosingEntry,
  ApiDeskThread,
  ApiEmr,
  ApiMoneyRow,
  ApiOwnAppointment,
  ApiSheetAppointment,
  CallAnswer,
} from '@clinic/contract';
import { type Handlers, NOW, casey, managerSession } from './desk.tsx';

/** One id for everything: each test has one thing of a kind. */
export const ID = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c01';

export const appointment = (more: Partial<ApiSheetAppointment> = {}): ApiSheetAppointment => ({
  id: ID,
  patient: 'Ada',
  type: 'E',
  description: 'Short visit',
  start: NOW - 3_600,
  end: NOW - 3_000,
  state: 'booked',
  attendance: 'expected',
  fee: 'none',
  linkUntil: null,
  next: ['arrived'],
  isCancellable: true,
  movesFor: ID,
  hasAccount: true,
  movedByClinic: false,
  patientCannotCancel: null,
  ...more,
});

export const ownAppointment = (more: Partial<ApiOwnAppointment> = {}): ApiOwnAppointment => ({
  id: ID,
  patient: 'Morgan, Casey',
  type: 'E',
  description: 'Short visit',
  start: NOW - 600,
  end: NOW,
  attendance: 'expected',
  arrivedAt: null,
  inRoomAt: null,
  next: ['arrived', 'noShow'],
  ...more,
});

/** The day of a clinician who is nothing else. */
export const ownDay = (
  appointments: readonly ApiOwnAppointment[] = [ownAppointment()],
  lateMinutes = 0,
): Handlers => ({
  deskSession: () => ({ ...managerSession, name: 'Amelia Stone', roles: ['clinician'] }),
  deskOwnDay: () => ({ providerId: '101', lateMinutes, appointments: [...appointments] }),
});

type Fee = CallAnswer<'deskOpenAppointment'>['extras']['feeAtClinic'];

/** A day with one appointment, and what opening it shows. */
export const sheet = (
  more: Partial<ApiSheetAppointment> = {},
  feeAtClinic: Fee = null,
): Handlers => ({
  deskDay: () => ({
    date: '2026-11-23',
    hours: { start: NOW - 3_600, end: NOW + 7_200 },
    providers: [
      { id: '101', name: 'Dr. A. Stone', closed: [], busy: [], appointments: [appointment(more)] },
    ],
  }),
  deskOpenAppointment: () => ({
    id: ID,
    patient: { name: 'Ada', birthDate: '1984-05-17', recordId: '1', email: null, phone: null },
    reason: null,
    bookingNumber: null,
    checkin: null,
    bookedAt: NOW - 86_400,
    arrivedAt: null,
    inRoomAt: null,
    paidCents: 0,
    feeAtClinic,
  }),
  deskConsents: () => ({ texts: [] }),
});

/** An EMR that does all that is asked of it. */
export const emrAnswers: ApiEmr = {
  kind: 'answers',
  since: NOW,
  asOf: NOW,
  isBookingPaused: false,
  refused: [],
  ending: [],
  outside: 0,
};

export const bookingOptions: CallAnswer<'deskBookingOptions'>['extras'] = {
  name: 'Morgan, Casey',
  hasAccount: true,
  birthDate: '1984-05-17',
  types: [{ code: 'E', description: 'Short visit', feeCents: 0 }],
  mayLink: true,
  providers: [{ id: '101', name: 'Dr. A. Stone' }],
  upcoming: [],
};

/** A patient who can be found and booked, and one free time. */
export const booking: Handlers = {
  deskFindPatients: () => ({
    patients: [{ patientId: ID, recordId: '5001', name: 'Morgan, Casey', birthDate: '1984-05-17' }],
    hasMore: false,
  }),
  deskBookingOptions: () => bookingOptions,
  deskFreeTimes: () => ({
    times: [{ doctor: '101', start: NOW + 1_800, end: NOW + 2_400 }],
    walkIns: [],
  }),
  deskConsents: () => ({
    texts: [
      { kind: 'general', version: '1', hash: 'a'.repeat(64), title: 'Policy', paragraphs: [] },
    ],
  }),
};

export const placed: CallAnswer<'deskBook'>['extras'] = {
  id: ID,
  providerId: '101',
  start: NOW + 1_800,
  end: NOW + 2_400,
  isTold: true,
  feeCents: 0,
  linkUntil: null,
};

type Patient = CallAnswer<'deskOpenPatient'>['extras'];

const account: NonNullable<Patient['account']> = {
  id: ID,
  email: 'casey@clinic.example',
  phones: [],
  address: '',
  language: 'en',
  eligibility: 'R',
  withoutTypes: [],
  block: 'none',
  blockReason: null,
  closedAt: null,
  bounce: null,
  createdAt: NOW - 86_400,
};

/** A record with an account, as it is opened. */
export const patient = (
  more: Partial<Patient> = {},
  ofAccount: Partial<typeof account> = {},
): Handlers => ({
  deskOpenPatient: () => ({ ...casey, account: { ...account, ...ofAccount }, ...more }),
});

export const document: Patient['documents'][number] = {
  id: ID,
  purpose: 'healthCard',
  mediaType: 'image/png',
  size: 1_000,
  at: NOW - 3_600,
  decision: null,
  decidedAt: null,
  reason: null,
};

type OnCard = NonNullable<Patient['onCard']>;

/** A card on which nothing stands. */
export const card = (more: Partial<OnCard> = {}): OnCard => ({
  contacts: [],
  notes: [],
  wishes: [],
  doctors: [],
  family: [],
  messages: [],
  fees: [],
  overpaid: [],
  consents: [],
  ...more,
});

export const alert: OnCard['notes'][number] = {
  id: ID,
  at: NOW - 3_600,
  kind: 'alert',
  text: 'Deaf in the left ear.',
  by: 'Robin Lee',
};

export const mergeSide = (recordId: string): CallAnswer<'deskForeseeMerge'>['extras']['kept'] => ({
  recordId,
  name: 'Morgan, Casey',
  birthDate: '1984-05-17',
  hasCard: true,
  cardProvince: 'BC',
  hasAccount: false,
  appointments: 0,
  upcoming: 0,
});

const thread: ApiDeskThread = {
  id: ID,
  patient: { name: 'Morgan, Casey', birthDate: '1984-05-17', phone: '' },
  state: 'waiting',
  assignedTo: null,
  colleagues: [{ id: ID, name: 'Robin Lee', isSelf: false }],
  version: 'first',
  entries: [
    { id: ID, from: 'patient', by: null, at: NOW, message: 'Hello', editedAt: null, files: [] },
  ],
  notes: [],
};

/** An inbox with an open message, and a saved reply. */
export const inbox: Handlers = {
  deskInbox: () => ({ waiting: [], hasMoreWaiting: false, settled: [], next: null }),
  deskOpenMessage: () => ({ message: thread }),
  deskSavedReplies: () => ({
    replies: [{ id: ID, name: 'Hours', text: 'We open at nine.', version: 'first' }],
  }),
};

/** A payment that was taken online. */
export const payment = (more: Partial<ApiMoneyRow> = {}): ApiMoneyRow => ({
  id: ID,
  appointmentId: ID,
  refundedAt: null,
  at: NOW,
  patient: 'Morgan, Casey',
  description: 'Private visit',
  start: null,
  cents: 9_000,
  means: null,
  reference: null,
  state: 'captured',
  paymentState: 'captured',
  isAlarming: false,
  isRefundable: true,
  refundReason: null,
  refundMeans: null,
  ...more,
});

/** One payment, taken online. */
export const money: Handlers = {
  deskMoney: () => ({ days: [], hasMore: false, rows: [payment()] }),
};

export const closing: CallAnswer<'deskClosing'>['extras'] = {
  closing: {
    id: ID,
    providerIds: ['101'],
    from: NOW,
    to: NOW + 86_400,
    askedBy: 'Morgan Hale',
    askedAt: NOW,
    doneAt: NOW,
    reopened: null,
    total: 0,
    known: 0,
  },
  entries: [],
};

/** An entry of a closing, whose patient has an account and was told by email. */
export const closingEntry = (over: Partial<ApiClosingEntry> = {}, at = 0): ApiClosingEntry => ({
  appointmentId: ID.replace(/..$/, String(at).padStart(2, '0')),
  recordId: `50${String(at).padStart(2, '0')}`,
  patient: 'Morgan, Casey',
  phone: null,
  phones: [],
  providerId: '101',
  type: 'E',
  description: 'Short visit',
  start: NOW,
  end: NOW + 600,
  paidCents: 0,
  outcome: 'cancelled',
  email: 'sent',
  refund: 'none',
  calls: [],
  rebooked: null,
  ...over,
});

/** A call by a colleague. */
export const aCall = (over: Partial<ApiClosingCall> = {}): ApiClosingCall => ({
  id: ID,
  outcome: 'reached',
  by: 'Robin Lee',
  at: NOW,
  takenBack: null,
  ...over,
});

const CODES = '_'.repeat(288);
const codes = [{ code: 'O', description: 'Office', types: ['E'] }];

/** Of a time in which nobody has booked. */
export const nobodyAffected: CallAnswer<'deskForeseeClosing'>['extras'] = {
  cancelled: 0,
  released: 0,
  underWay: 0,
  toCall: 0,
  refunds: 0,
  refundedCents: 0,
};

type Waiting = CallAnswer<'deskWaiting'>['extras']['acts'][number];

/** A colleague's export that can be stopped for five minutes. */
export const exportWaiting: Waiting = {
  id: ID,
  act: 'export',
  askedBy: 'Avery Quinn',
  isOwn: false,
  askedAt: NOW,
  waitsUntil: NOW + 300,
  state: 'waiting',
  stopped: null,
  n: 412,
  time: null,
  invited: null,
};

/** An appointment that staff deleted in the EMR. */
export const goneFromEmr: NonNullable<CallAnswer<'deskWaiting'>['extras']['gone']>[number] = {
  id: ID,
  start: NOW + 86_400,
  provider: 'Dr. Amelia Stone',
  until: NOW + 600,
};

/** A provider's week, the day of it, and the times that are closed. */
export const schedule: Handlers = {
  deskClosings: () => ({ providers: [{ id: '101', name: 'Dr. A. Stone' }], closings: [] }),
  deskForeseeClosing: () => nobodyAffected,
  deskClosing: () => closing,
  deskWeek: () => ({
    week: Array<string>(7).fill(CODES),
    since: null,
    next: null,
    codes,
    days: [],
    isInEmr: false,
  }),
  deskSingleDay: () => ({ week: CODES, said: null, codes, closed: [], isInEmr: false }),
};

/** A session that somebody has elsewhere. */
const session = {
  id: ID,
  device: 'Chrome, Windows',
  signedInAt: NOW,
  lastActiveAt: NOW,
  isLocked: false,
  isCurrent: false,
};

const column = { isKey: false, isNeeded: true, otherwise: '', choices: [] };
/** The table of appointment types, cut down. */
const types: CallAnswer<'deskTable'>['extras'] = {
  columns: [
    { ...column, name: 'code', kind: 'text', most: 4, isKey: true },
    { ...column, name: 'description', kind: 'text', most: 60 },
    { ...column, name: 'minutes', kind: 'number', most: 3 },
  ],
  whole: [],
  rows: [{ name: 'E Short visit', fields: ['E', 'Short visit', '10'] }],
};

/** The set-up pages, with a colleague and a text. */
export const setUp: Handlers = {
  deskSetUp: () => ({
    contacts: { name: 'Clinic', email: 'a@b.example', phone: '1', address: 'Main' },
    maintenance: null,
    providers: [],
    types: [['E', 'Short visit', '10']],
    fees: [],
    tables: [{ what: 'types', columns: ['code', 'description', 'minutes'], isInEmr: false }],
  }),
  deskTable: () => types,
  deskStaffList: () => ({
    staff: [
      {
        id: ID,
        name: 'Robin Lee',
        email: 'robin@clinic.example',
        roles: ['receptionist'],
        providerId: null,
        standing: 'open',
        isOwn: false,
      },
    ],
  }),
  deskText: () => ({
    kind: 'general',
    languages: [{ id: 'en', name: 'English', dir: 'ltr' }],
    placeholders: [],
    versions: [
      {
        version: '1.0',
        isDraft: true,
        since: null,
        by: null,
        texts: [{ locale: 'en', title: 'Policy', paragraphs: ['Be on time.'] }],
      },
    ],
  }),
  deskOwnSessions: () => ({
    sessions: [{ ...session, id: ID.replace(/.$/, 'f'), isCurrent: true }, session],
  }),
  deskStaffSessions: () => ({ sessions: [session] }),
  deskPasskeys: () => ({
    passkeys: [{ id: ID, name: 'Phone', createdAt: NOW, lastUsedAt: null }],
  }),
};
