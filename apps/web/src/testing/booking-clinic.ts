import { SPECIFIED_TYPES, addDays, appointmentMode, datesOf, toInstant } from '@clinic/domain';
import type { AppointmentTypeCode, ClinicDate, EpochSeconds } from '@clinic/domain';
import { slotServes } from '@clinic/domain/testing';
import type {
  CallAnswer,
  CallId,
  CallInput,
  ApiAppointment,
  ApiAppointmentType,
  ApiDoctor,
  ApiDoctorStatus,
  ApiHold,
  ApiScheduleDay,
  ApiUser,
} from '@clinic/contract';
import { calls, routes } from '@clinic/contract';
import { refusal } from './fake-service.ts';
import { casey, clinicConfig } from './people.ts';

/** The clinic's now in these tests: Saturday 2026-11-21, 09:00 on its wall. */
export const CLINIC_NOW: EpochSeconds = toInstant('2026-11-21', '09:00');
export const TODAY: ClinicDate = '2026-11-21';

export function aType(code: AppointmentTypeCode, over: Partial<ApiAppointmentType> = {}) {
  const kept = SPECIFIED_TYPES.find((one) => one.code === code) ?? SPECIFIED_TYPES[0];
  if (!kept) throw new Error('The specification has types');
  const { minutes, mode, form, instruction, isPrivate, byNursePractitioners, resetsDoctor } = kept;
  const type: ApiAppointmentType = {
    code,
    description: 'In-person visit',
    status: 'enabled',
    enforceMRP: false,
    enforceNoPCP: false,
    chargeAmount: 0,
    requiresDocumentUpload: false,
    minutes,
    mode,
    form,
    instruction,
    isPrivate,
    byNursePractitioners,
    resetsDoctor,
    ...over,
  };
  return type;
}

export const bookingTypes: readonly ApiAppointmentType[] = [
  aType('O', { enforceMRP: true, enforceNoPCP: true }),
  aType('P', { description: 'Phone consultation' }),
  aType('V', { description: 'Private visit', chargeAmount: 200 }),
  aType('D', { description: 'Driver medical', chargeAmount: 150 }),
  aType('F', { description: 'Medication refill' }),
];

export const clinicDoctors: readonly ApiDoctor[] = [
  { id: '101', firstName: 'Amelia', lastName: 'Stone' },
  { id: '103', firstName: 'Grace', lastName: 'Liu' },
  { id: '104', firstName: 'Owen', lastName: 'Price' },
  { id: '106', firstName: 'Jordan NP', lastName: 'Avery' },
];

export function aApiStatus(over: Partial<ApiDoctorStatus> = {}): ApiDoctorStatus {
  return {
    scheduledisable: false,
    scheduledcomment: '',
    noscheduledisplay: false,
    onlyFamilyDoctor: false,
    noPCP: false,
    ...over,
  };
}

export const pharmacies = [
  {
    id: 'ph-1',
    name: 'Harbour Pharmacy',
    address: { address: '12 Water Street, Vancouver' },
    fax: '604-555-0111',
    phone1: '604-555-0110',
  },
] as const;

/** A day on which each of these doctors is free at these times, for one slot code and length. */
export function aDay(
  date: ClinicDate,
  free: Readonly<Record<string, readonly string[]>>,
  code = 'O',
  minutes = 5,
): ApiScheduleDay {
  const providers = Object.entries(free).map(([doctor, times]) => ({
    doctor,
    schedule: times.map((time) => {
      const start = toInstant(date, time);
      return { code, start, end: start + minutes * 60 };
    }),
    booked: [],
  }));
  return { date, providers };
}

export function anAppointment(over: Partial<ApiAppointment> = {}): ApiAppointment {
  const startTime = over.startTime ?? toInstant('2026-12-15', '13:00');
  return {
    id: 'visit-1',
    doctor: '101',
    startTime,
    endTime: startTime + 300,
    isEditable: true,
    isCancellable: true,
    checkin: null,
    description: 'In-person visit',
    paidAmount: 0,
    bookingId: 'B-1',
    code: 'O',
    isReschedulable: true,
    ticklers: [],
    stripePaymentToken: null,
    status: 'booked',
    displayInfo: null,
    mode: appointmentMode(aType(over.code ?? 'O'), over.contactPreference ?? null),
    ...over,
  };
}

export function aHold(over: Partial<ApiHold> = {}): ApiHold {
  const start = over.start ?? toInstant('2026-11-22', '09:00');
  return {
    id: 'hold-0001',
    doctor: '101',
    start,
    end: start + 300,
    type: 'O',
    expiresAt: CLINIC_NOW + 600,
    rescheduleOf: null,
    draft: null,
    ...over,
  };
}

/** What a charge answers once the appointment is booked. */
export function paidAnswer(appointment: Partial<ApiAppointment> = {}): CallAnswer<'charge'> {
  return {
    success: true,
    extras: {
      message: 'Your payment was received and your appointment is booked.',
      code: 'paymentReceived',
      reference: 'P-0123456789',
      appointment: anAppointment({ id: 'visit-paid', code: 'V', paidAmount: 200, ...appointment }),
    },
  };
}

interface Request {
  readonly body: unknown;
  readonly headers: Headers;
  readonly search: string;
}

interface Reply {
  readonly status?: number;
  readonly body: unknown;
}

export type Replies = Record<
  string,
  (request: Request) => Reply | 'unreachable' | Promise<Reply | 'unreachable'>
>;

/** The reply of one call, held against the contract, so that a stub cannot lie. */
export function reply<Id extends CallId>(
  id: Id,
  answer: (input: { body: BodyOf<Id>; search: URLSearchParams }) => CallAnswer<Id>,
  path: string = routes[id][1],
): Replies {
  const [method] = routes[id];
  return {
    [`${method} ${path}`]: ({ body, search }) => ({
      body: calls[id].answer.parse(
        answer({ body: body as BodyOf<Id>, search: new URLSearchParams(search) }),
      ),
    }),
  };
}

type BodyOf<Id extends CallId> = CallInput<Id> extends { body: infer Body } ? Body : null;

export function refuse(id: CallId, status: number, code: string, message: string): Replies {
  const [method, path] = routes[id];
  return { [`${method} ${path}`]: () => ({ status, body: refusal(code, message) }) };
}

export interface ClinicFacts {
  readonly user: ApiUser;
  readonly doctors: readonly ApiDoctor[];
  readonly statuses: Readonly<Record<string, ApiDoctorStatus>>;
  readonly days: readonly ApiScheduleDay[];
  readonly appointments: readonly ApiAppointment[];
  readonly hold: ApiHold | null;
}

/**
 * A clinic that answers every call of the booking, one free morning with 101 unless said otherwise.
 */
export function bookingClinic(over: Partial<ClinicFacts> = {}) {
  const facts: ClinicFacts = {
    user: { ...casey, appointmentType: [...bookingTypes] },
    doctors: clinicDoctors,
    statuses: Object.fromEntries(clinicDoctors.map(({ id }) => [id, aApiStatus()])),
    days: [aDay(addDays(TODAY, 1), { '101': ['09:00', '09:05'] })],
    appointments: [],
    hold: null,
    ...over,
  };
  let hold = facts.hold;
  const dayOf = (date: ClinicDate) =>
    facts.days.find((day) => day.date === date) ?? { date, providers: [] };
  const replies: Replies = {
    ...reply('getMe', () => facts.user),
    ...reply('getConfig', () => ({
      success: true,
      extras: { ...clinicConfig, medicationSiteUrl: 'https://medication.example/' },
    })),
    ...reply('listDoctors', () => [...facts.doctors]),
    ...reply('doctorStatus', () => facts.statuses),
    ...reply('checkNoPcp', () => ({ success: true, noPCP: true })),
    ...reply(
      'getPatientRecord',
      () => ({ success: true, demographic: { providerNo: '101' }, provider: { enabled: true } }),
      `/clinic/admin/patient/${facts.user.demographicNo}`,
    ),
    ...reply('doctorSchedule', ({ search }) => {
      const from = search.get('from') ?? '';
      const to = search.get('to') ?? '';
      const type = search.get('type');
      const serves = ({ code }: { code: string }) => type === null || slotServes(code, type);
      const extras = datesOf({ from, to }).map((date) => {
        const providers = dayOf(date).providers.map((provider) => ({
          ...provider,
          schedule: provider.schedule.filter(serves),
        }));
        return { date, providers };
      });
      return { success: true, extras };
    }),
    ...reply('readHold', () => ({ success: true, extras: { hold, made: null } })),
    ...reply('placeHold', ({ body }) => {
      const { doctor, start, end, selectedType: type } = body;
      hold = aHold({ doctor, start, end, type, rescheduleOf: body.rescheduleOf ?? null });
      return { success: true, extras: { hold } };
    }),
    ...reply('releaseHold', () => {
      hold = null;
      return { success: true };
    }),
    ...reply('saveDraft', () => ({ success: true })),
    ...reply('findDemographics', () => ({ success: true, extras: { code: 'entryFound' } })),
    ...reply('shouldUploadDocument', () => ({
      success: true,
      healthcardUploaded: true,
      pictureIdUploaded: true,
    })),
    ...reply('createDemographics', () => ({ success: true })),
    ...reply('saveAgreement', () => ({ success: true })),
    ...reply('listPharmacies', () => [...pharmacies]),
    ...reply('addPreferredPharmacy', () => ({
      success: true,
      extras: { message: 'Kept.', payload: pharmacies[0] },
    })),
    ...reply('listAppointments', () => ({
      doctors: [...facts.doctors],
      appointments: [...facts.appointments],
      hasOlder: false,
    })),
    ...reply('appState', ({ search }) => {
      const code = search.get('selectedType') ?? 'O';
      const type = facts.user.appointmentType.find((one) => one.code === code);
      return { success: true, extras: { chargeAmount: type?.chargeAmount ?? 0, code } };
    }),
    ...reply('charge', ({ body }) => {
      hold = null;
      return paidAnswer({
        startTime: body.start ?? 0,
        code: body.selectedType ?? 'V',
        paidAmount: body.amount ?? 0,
        contactPreference: body.contactPreference ?? null,
      });
    }),
    ...reply('createBooking', ({ body }) => {
      hold = null;
      const { start, end, doctor, selectedType: code } = body;
      return {
        success: true,
        extras: {
          message: 'Your appointment is booked.',
          code: body.isReschedule ? 'rescheduled' : 'booked',
          appointment: anAppointment({
            id: 'visit-new',
            startTime: start,
            endTime: end,
            doctor,
            code,
          }),
        },
      };
    }),
  };
  return replies;
}
