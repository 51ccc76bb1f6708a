import type { PatientAccount } from '../../../e2e/faults/clinic/patient.ts';
import type { Chance } from '../../../e2e/faults/chance.ts';
import type { Slot } from '../../../e2e/faults/history.ts';

/** A call of a signed-in patient, and what is known once it is answered. */
export interface Call {
  readonly kind: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly token: string;
  readonly body?: unknown;
  readonly key?: string;
  /** With the answer's text, or null where it was refused or none came. */
  readonly answered?: (text: string | null) => void;
}

/** Of 100 calls; what a patient's pages ask for, and what the patient does. */
const READS = { schedule: 26, earliest: 10, appointments: 18, messages: 8, hold: 8 };
const WRITES = { place: 10, book: 9, cancel: 8, message: 3 };
const MIX = Object.entries({ ...READS, ...WRITES }).flatMap(([kind, share]) =>
  Array.from({ length: share }, () => kind as Read | Write),
);
const isWrite = (kind: Read | Write): kind is Write => kind in WRITES;

type Read = keyof typeof READS;
type Write = keyof typeof WRITES;

interface Booking {
  readonly patient: PatientAccount;
  readonly slot: Slot;
}

/** What many patients ask for, one call after the other: 70 of 100 read. */
export function visitors(
  accounts: readonly PatientAccount[],
  slots: readonly Slot[],
  chance: Chance,
): () => Call {
  const idle = [...accounts];
  const free = slots
    .map((slot) => ({ slot, place: chance.next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ slot }) => slot);
  const held: Booking[] = [];
  const booked: (Booking & { readonly appointment: string })[] = [];
  let keys = 0;

  /** The patient begins anew and the time is free. A call that was refused for now is tried again instead. */
  const givesUp = ({ patient, slot }: Booking) => {
    idle.push(patient);
    free.push(slot);
  };
  function place(): Call | null {
    const [patient, slot] = [idle[0], free[0]];
    if (!patient || !slot) return null;
    idle.shift();
    free.shift();
    const booking = { patient, slot };
    return {
      kind: 'place',
      method: 'POST',
      path: '/api/schedule/hold',
      token: patient.token,
      body: asSent(slot),
      answered: (text) => (text === null ? givesUp(booking) : held.push(booking)),
    };
  }
  const writes: Record<Write, () => Call | null> = {
    place,
    book() {
      const booking = held.shift();
      if (!booking) return null;
      const { patient, slot } = booking;
      keys += 1;
      return {
        kind: 'book',
        method: 'POST',
        path: '/api/schedule/create',
        token: patient.token,
        key: `load-key-${keys}`,
        body: { ...asSent(slot), reason: 'A cough that does not go away' },
        answered: (text) => {
          if (text === null) return void held.push(booking);
          const { extras } = JSON.parse(text) as { extras: { appointment: { id: string } } };
          booked.push({ ...booking, appointment: extras.appointment.id });
        },
      };
    },
    cancel() {
      const booking = booked.shift();
      if (!booking) return null;
      return {
        kind: 'cancel',
        method: 'DELETE',
        path: `/api/schedule/${booking.appointment}`,
        token: booking.patient.token,
        answered: (text) => (text === null ? booked.push(booking) : givesUp(booking)),
      };
    },
    message: () => ({
      kind: 'message',
      method: 'POST',
      path: '/api/message',
      token: chance.pick(accounts).token,
      body: { message: 'May I bring my daughter?' },
    }),
  };
  const reads: Record<Read, (slot: Slot) => string> = {
    schedule: ({ date, type }) =>
      `/api/doctors/schedule?from=${date}&to=${date}&id=-1&type=${type}`,
    earliest: ({ type }) => `/api/doctors/earliest?type=${type}&id=-1`,
    appointments: () => '/api/me/appointments',
    messages: () => '/api/message/?limit=20&skip=0',
    hold: () => '/api/schedule/hold',
  };

  const read = (kind: Read): Call => ({
    kind,
    method: 'GET',
    path: reads[kind](chance.pick(slots)),
    token: chance.pick(accounts).token,
  });

  return () => {
    const kind = chance.pick(MIX);
    // Who has nothing to book or to cancel yet chooses a time; where everybody waits for the answer to
    // that, as under overload, somebody looks for times.
    return isWrite(kind) ? (writes[kind]() ?? place() ?? read('schedule')) : read(kind);
  };
}

const asSent = ({ provider, start, end, type }: Slot) => ({
  doctor: provider,
  start,
  end,
  selectedType: type,
});
