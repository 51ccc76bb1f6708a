import {
  type AppointmentRow,
  type FakeOscar,
  type Incoming,
  blockByStaff,
  bookByStaff,
  deleteByStaff,
  moveByStaff,
  pasteByStaff,
  saveByStaff,
} from '@clinic/oscar/fake';

import type { Chance } from '../chance.ts';
import { appointmentIn, isExpected, isLive, overlap, siteOf } from './book.ts';
import type { Time } from './pace.ts';

/** A time in the book: minutes of the day. */
export interface Place {
  readonly providerNo: string;
  readonly date: string;
  readonly start: number;
}

/** What receptionists have done, and to which appointment of ours. */
export interface Reception {
  /** One of them goes on until it is over. */
  work(chance: Chance, goesOn: () => boolean, thinkingSeconds: number): Promise<void>;
  /** As where a doctor falls ill: whatever stands is cancelled. */
  cancelAll(): void;
  /** Takes the very time that a write of ours is about to take, now and then. */
  overtake(chance: Chance, request: Incoming, share: number): void;
  /** Rows that staff wrote, copies of ours among them. */
  readonly byStaff: ReadonlySet<number>;
  /** Rows of patients whom staff received while another stood at their time: it was theirs to decide. */
  readonly receivedBeside: ReadonlySet<number>;
  /** When a row came to its place: greater is later. */
  placedAt(row: AppointmentRow): number;
  readonly deeds: ReadonlyMap<string, number>;
}

export interface ReceptionOptions {
  readonly book: FakeOscar;
  readonly time: Time;
  readonly places: () => readonly Place[];
  /** Told of what is done to an appointment of ours. */
  readonly touched: (appointmentId: string) => void;
}

/** Receptionists book over, cancel, delete, move, copy, cut and paste, and ask nobody whether the time is free. */
export function openReception({ book, time, places, touched }: ReceptionOptions): Reception {
  const { memory } = book;
  const byStaff = new Set<number>();
  const moved = new Map<number, number>();
  const receivedBeside = new Set<number>();
  const deeds = new Map<string, number>();
  const count = (deed: string) => deeds.set(deed, (deeds.get(deed) ?? 0) + 1);
  const inPlay = () => new Set(places().map(({ date }) => date));
  const standing = (isWanted: (row: AppointmentRow) => boolean) => {
    const days = inPlay();
    return memory.appointments.filter((row) => isLive(row) && days.has(row.date) && isWanted(row));
  };
  const ours = () => standing((row) => appointmentIn(row) !== null);
  const tell = (row: AppointmentRow) => {
    const id = appointmentIn(row);
    if (id !== null) touched(id);
  };
  const cancel = (row: AppointmentRow) => {
    memory.change(row, { status: 'C' });
    tell(row);
  };
  const remove = (row: AppointmentRow) => {
    deleteByStaff(memory, row);
    tell(row);
  };
  const at = (place: Place) => ({ ...place, location: siteOf(place.providerNo) });
  const bookAt = (chance: Chance, place: Place) => {
    const { demographicNo } = chance.pick(memory.demographics);
    const minutes = chance.pick([5, 10, 15]);
    byStaff.add(bookByStaff(memory, { ...at(place), minutes, demographicNo }).id);
  };
  const move = (row: AppointmentRow, to: Place) => {
    moveByStaff(memory, row, to);
    moved.set(row.id, memory.nextId());
    tell(row);
  };
  const copy = (row: AppointmentRow, to: Place) => {
    byStaff.add(pasteByStaff(memory, row, to).id);
    tell(row);
  };
  /** What is pasted in the same moment is still what we wrote. */
  const cutAndPaste = (row: AppointmentRow, to: Place) => {
    deleteByStaff(memory, row);
    const pasted = pasteByStaff(memory, row, to);
    moved.set(pasted.id, memory.nextId());
    // Of two with one key the older is the appointment: beside a copy, what is pasted is a copy by now.
    const isOlder = (other: AppointmentRow) =>
      other !== pasted && isLive(other) && appointmentIn(other) === appointmentIn(row);
    if (byStaff.has(row.id) || memory.appointments.some(isOlder)) byStaff.add(pasted.id);
    tell(pasted);
  };
  const toOneOf = (
    chance: Chance,
    rows: readonly AppointmentRow[],
    deed: string,
    act: (row: AppointmentRow) => void,
  ) => {
    if (rows.length === 0) return;
    act(chance.pick(rows));
    count(deed);
  };

  const acts = (chance: Chance) => {
    const place = () => chance.pick(places());
    const does = chance.next();
    if (does < 0.26) {
      bookAt(chance, place());
      count('booked');
    } else if (does < 0.3) {
      byStaff.add(
        blockByStaff(memory, { ...at(place()), minutes: 10, name: 'Block', patient: 0 }).id,
      );
      count('blocked');
    } else if (does < 0.4) toOneOf(chance, ours(), 'cancelled', cancel);
    else if (does < 0.44) toOneOf(chance, ours().filter(isExpected), 'deleted', remove);
    else if (does < 0.57) toOneOf(chance, ours(), 'moved', (row) => move(row, place()));
    else if (does < 0.65)
      toOneOf(chance, ours(), 'cut and pasted', (row) => cutAndPaste(row, place()));
    else if (does < 0.69) toOneOf(chance, ours(), 'saved', (row) => saveByStaff(memory, row));
    else if (does < 0.74) toOneOf(chance, ours(), 'copied', (row) => copy(row, place()));
    else if (does < 0.78)
      toOneOf(chance, ours(), 'received', (row) => {
        const isBeside = (other: AppointmentRow) =>
          other !== row && isLive(other) && overlap(row, other);
        if (memory.appointments.some(isBeside)) receivedBeside.add(row.id);
        memory.change(row, { status: 'H' });
        tell(row);
      });
    else
      toOneOf(
        chance,
        standing(({ id }) => byStaff.has(id)),
        'freed',
        cancel,
      );
  };

  return {
    byStaff,
    receivedBeside,
    deeds,
    placedAt: ({ id }) => moved.get(id) ?? id,
    async work(chance, goesOn, thinkingSeconds) {
      while (goesOn()) {
        await time.passes(chance.between(0, thinkingSeconds));
        acts(chance);
      }
    },
    cancelAll() {
      for (const row of memory.appointments) if (isLive(row)) cancel(row);
    },
    overtake(chance, { name, body }, share) {
      if (name !== 'addAppointment' || !chance.happens(share)) return;
      const [, date, time] = /StartDateTime>([\d-]+)T(\d\d:\d\d)/.exec(body) ?? [];
      const [, providerNo] = /providerNo>(\d+)</.exec(body) ?? [];
      const [hours = 0, minutes = 0] = (time ?? '').split(':').map(Number);
      if (date === undefined || providerNo === undefined) return;
      bookAt(chance, { providerNo, date, start: hours * 60 + minutes });
      count('overtook');
    },
  };
}
