/** What receptionists do in OSCAR's own pages: nobody asks them whether the time is free. */
import { type AppointmentRow, type Memory, isCancelled } from './memory.ts';

export interface StaffBooking {
  readonly providerNo: string;
  readonly date: string;
  /** Minutes of the day. */
  readonly start: number;
  readonly minutes: number;
  readonly demographicNo: number;
  readonly type?: string;
}

/** The pages keep the last minute of an appointment as its end. */
export function bookByStaff(memory: Memory, booking: StaffBooking): AppointmentRow {
  const { providerNo, date, start, minutes, demographicNo, type = 'Office Visit' } = booking;
  const patient = memory.demographic(demographicNo);
  return memory.addAppointment({
    providerNo,
    date,
    start: start * 60,
    end: (start + minutes - 1) * 60,
    name: patient === undefined ? '' : `${patient.lastName},${patient.firstName}`,
    demographicNo,
    reason: '',
    notes: '',
    location: '',
    type,
    status: 't',
    creator: 'reception',
  });
}

/** Moves the same row, which keeps its notes and its number. */
export function moveByStaff(
  memory: Memory,
  row: AppointmentRow,
  to: { readonly providerNo: string; readonly date: string; readonly start: number },
): void {
  const length = row.end - row.start;
  const start = to.start * 60;
  memory.change(row, { providerNo: to.providerNo, date: to.date, start, end: start + length });
}

const pick = <Item>(items: readonly Item[], random: () => number): Item | undefined =>
  items[Math.floor(random() * items.length)];

/** One receptionist does one thing, somewhere in the days that have a template; says what it was. */
export function actAtRandom(memory: Memory, random: () => number): string {
  const [providerNo, date] = pick([...memory.templates.keys()], random)?.split(' ') ?? [];
  if (providerNo === undefined || date === undefined) return 'nothing: there is no day';
  const start = 8 * 60 + Math.floor(random() * 96) * 5;
  const standing = pick(
    memory.appointments.filter((row) => !isCancelled(row)),
    random,
  );
  const what = random();
  if (standing === undefined || what < 0.5) {
    const demographicNo = pick(memory.demographics, random)?.demographicNo ?? 0;
    const minutes = 5 + Math.floor(random() * 4) * 5;
    const row = bookByStaff(memory, { providerNo, date, start, minutes, demographicNo });
    return `booked ${row.id}`;
  }
  if (what < 0.75) {
    moveByStaff(memory, standing, { providerNo, date, start });
    return `moved ${standing.id}`;
  }
  memory.change(standing, { status: 'C' });
  return `cancelled ${standing.id}`;
}
