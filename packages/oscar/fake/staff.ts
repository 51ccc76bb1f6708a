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
  /** Where multisites are on, the page begins with the first of the sites. */
  readonly location?: string;
}

/** The pages keep the last minute of an appointment as its end. */
export function bookByStaff(memory: Memory, booking: StaffBooking): AppointmentRow {
  const { providerNo, date, start, minutes, demographicNo, type = 'Office Visit' } = booking;
  const { location = memory.sites[0] ?? '' } = booking;
  const patient = memory.demographic(demographicNo);
  return memory.addAppointment({
    providerNo,
    date,
    start: start * 60,
    end: (start + minutes - 1) * 60,
    name: patient === undefined ? '' : `${patient.lastName},${patient.firstName}`,
    demographicNo,
    location,
    type,
    creator: 'reception',
    // SOAP leaves NULL there.
    resources: '',
    remarks: '',
    urgency: '',
  });
}

export interface Block extends Omit<StaffBooking, 'demographicNo' | 'type'> {
  readonly name: string;
  /** What the column of the patient has: the pages write 0, and old imports NULL. */
  readonly patient: 0 | null;
}

/** Takes a time for no patient. */
export function blockByStaff(memory: Memory, { name, patient, ...at }: Block): AppointmentRow {
  const row = bookByStaff(memory, { ...at, demographicNo: 0, type: '' });
  Object.assign(row, { name, demographicNo: patient });
  return row;
}

/** Moves the same row, which keeps its notes and its number. */
export function moveByStaff(
  memory: Memory,
  row: AppointmentRow,
  to: Pick<StaffBooking, 'providerNo' | 'date' | 'start'>,
): void {
  const length = row.end - row.start;
  const start = to.start * 60;
  memory.change(row, { providerNo: to.providerNo, date: to.date, start, end: start + length });
}

/** Nothing tells of the row any more, neither the changes nor the archives. */
export function deleteByStaff(memory: Memory, row: AppointmentRow): void {
  memory.appointments.splice(memory.appointments.indexOf(row), 1);
}

/** Deletes the row, to be pasted. */
export function cutByStaff(memory: Memory, row: AppointmentRow): void {
  memory.clipboard = { ...row };
  deleteByStaff(memory, row);
}

/** Copies the row, or pastes one that was cut: a new number, and the notes with their key. */
export function pasteByStaff(
  memory: Memory,
  row: AppointmentRow,
  to: Pick<StaffBooking, 'providerNo' | 'date' | 'start'>,
): AppointmentRow {
  const { id: _id, createdAt: _created, updatedAt: _updated, ...columns } = row;
  const { providerNo, date, start } = to;
  const end = start * 60 + row.end - row.start;
  const at = { providerNo, date, start: start * 60, end };
  return memory.addAppointment({ ...columns, ...at, creator: 'reception' });
}

/**
 * Saves the edit page without a change: it lists only the clinic's own types, finds the row's in any case, and its
 * ends have no seconds. A site that the clinic does not have stays.
 */
export function saveByStaff(memory: Memory, row: AppointmentRow): void {
  const listed = memory.types.find(({ name }) => name.toLowerCase() === row.type.toLowerCase());
  memory.change(row, {
    type: listed?.name ?? '',
    resources: row.resources ?? 'null',
    end: row.end - (row.end % 60),
    reasonCode: 1,
  });
}

/** What the day sheet shows: where multisites are on, nothing that is of no site. */
export const daySheetOf = ({ appointments, sites }: Memory, providerNo: string, date: string) =>
  appointments.filter(
    (row) =>
      row.providerNo === providerNo &&
      row.date === date &&
      (sites.length === 0 || sites.includes(row.location)),
  );

const pick = <Item>(items: readonly Item[], random: () => number): Item | undefined =>
  items[Math.floor(random() * items.length)];

/** One receptionist does one thing, somewhere in the days that have a template. */
export function actAtRandom(memory: Memory, random: () => number): void {
  const [providerNo, date] = pick([...memory.templates.keys()], random)?.split(' ') ?? [];
  if (providerNo === undefined || date === undefined) return;
  const start = 8 * 60 + Math.floor(random() * 96) * 5;
  const standing = pick(
    memory.appointments.filter((row) => !isCancelled(row)),
    random,
  );
  const what = random();
  if (standing === undefined || what < 0.45) {
    const demographicNo = what < 0.05 ? 0 : (pick(memory.demographics, random)?.demographicNo ?? 0);
    const minutes = 5 + Math.floor(random() * 4) * 5;
    bookByStaff(memory, { providerNo, date, start, minutes, demographicNo });
  } else if (what < 0.6) moveByStaff(memory, standing, { providerNo, date, start });
  else if (what < 0.7) {
    cutByStaff(memory, standing);
    pasteByStaff(memory, standing, { providerNo, date, start });
  } else if (what < 0.8) saveByStaff(memory, standing);
  else if (what < 0.85) deleteByStaff(memory, standing);
  else memory.change(standing, { status: 'C' });
}
