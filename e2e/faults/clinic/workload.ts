import type { Chance } from '../chance.ts';
import type { Answered, ListedAppointment, Slot } from '../history.ts';
import { type Patient, insist, pause } from './patient.ts';

export interface WorkloadOptions {
  readonly patients: readonly Patient[];
  readonly slots: readonly Slot[];
  readonly chance: Chance;
  readonly goesOn: () => boolean;
  /** Between two wishes of one patient, at most. */
  readonly thinkingMs: number;
  /** How they think, where time is not the machine's. */
  readonly thinks?: (ms: number) => Promise<void>;
  /** Where patients come more than once: begins the names of their requests, which are for ever. */
  readonly visit?: string;
  /** What a patient pays for a slot, in dollars; nothing unless said. */
  readonly feeOf?: (patient: Patient, slot: Slot) => number;
}

/** Of those who insist: then they do something else. */
const TRIES = 12;

/** Patients who look, hold, book, move, cancel, lose patience and try the same at once in many tabs. */
export async function runWorkload({ patients, ...options }: WorkloadOptions): Promise<void> {
  await Promise.all(
    patients.map((patient) =>
      oneVisitorsDay(patient, { ...options, chance: options.chance.fork(patient.account.name) }),
    ),
  );
}

interface Day extends Omit<WorkloadOptions, 'patients'> {}

async function oneVisitorsDay(patient: Patient, day: Day): Promise<void> {
  const { chance, visit = '', feeOf = () => 0, thinks = pause } = day;
  const popular = day.slots.slice(0, Math.ceil(day.slots.length / 5));
  const anySlot = () => chance.pick(chance.happens(0.5) ? popular : day.slots);
  const anyOf = (type: string) => chance.pick(day.slots.filter((slot) => slot.type === type));
  let wishes = 0;
  const key = () => `${visit}${patient.account.name}-wish-${(wishes += 1)}`;
  let appointments: readonly ListedAppointment[] = [];
  const take = (slot: Slot, wish: string) => {
    const fee = feeOf(patient, slot);
    return fee > 0 ? patient.pay(slot, wish, fee) : patient.book(slot, wish);
  };

  const look = async () => {
    const { outcome, listed } = await patient.list();
    if (outcome === 'ok') appointments = (listed ?? []).filter(({ status }) => status === 'booked');
  };
  /** Most insist until they know; some close the page. */
  const persevering = (ask: () => Promise<Answered>) =>
    chance.happens(0.75) ? insist(ask, chance, TRIES) : ask();

  const wishesTo = {
    bookWithHold: async () => {
      const slot = anySlot();
      const held = await patient.hold(slot);
      if (held.outcome === 'refused') return;
      await thinks(chance.between(0, day.thinkingMs));
      const wish = key();
      await persevering(() => take(slot, wish));
    },
    bookAtOnce: async () => {
      const slot = anySlot();
      const wish = key();
      await persevering(() => take(slot, wish));
    },
    bookInManyTabs: async () => {
      const tabs = Array.from({ length: 4 }, () => ({ slot: anySlot(), wish: key() }));
      await Promise.all(tabs.map(({ slot, wish }) => persevering(() => take(slot, wish))));
    },
    holdAndLeave: async () => {
      await patient.hold(anySlot());
      if (chance.happens(0.7)) await patient.release();
    },
    cancel: async () => {
      if (appointments.length === 0) return;
      const { id } = chance.pick(appointments);
      await persevering(() => patient.cancel(id));
    },
    move: async () => {
      if (appointments.length === 0) return;
      const { id, type } = chance.pick(appointments);
      const slot = anyOf(type);
      const wish = key();
      if (chance.happens(0.4)) await patient.hold(slot, id);
      await persevering(() => patient.move(id, slot, wish));
    },
  };

  while (day.goesOn()) {
    const full = appointments.length >= 2;
    const wish = chance.pick(
      full
        ? [wishesTo.cancel, wishesTo.move, wishesTo.move, wishesTo.cancel, wishesTo.bookInManyTabs]
        : [
            wishesTo.bookWithHold,
            wishesTo.bookWithHold,
            wishesTo.bookAtOnce,
            wishesTo.bookInManyTabs,
            wishesTo.holdAndLeave,
            wishesTo.move,
            wishesTo.cancel,
          ],
    );
    await wish();
    await look();
    await thinks(chance.between(0, day.thinkingMs));
  }
}
