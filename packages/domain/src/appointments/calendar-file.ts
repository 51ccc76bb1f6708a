import type { EpochSeconds } from '../clinic-time.ts';

/** One appointment as a calendar shows it: no reason, no diagnosis. */
export interface CalendarEvent {
  readonly method: 'PUBLISH' | 'CANCEL';
  /** Stays with the appointment when it moves, so that a calendar never shows it twice: `calendarUid`. */
  readonly uid: string;
  /** Higher with each change of the appointment. */
  readonly sequence: number;
  readonly start: EpochSeconds;
  /** Exclusive. */
  readonly end: EpochSeconds;
  readonly summary: string;
  /** Says the wall time in words, because the reader's device may know older zone rules. */
  readonly description: string;
  /** Empty when there is none. */
  readonly location: string;
  readonly organizer: { readonly name: string; readonly email: string };
  readonly writtenAt: EpochSeconds;
}

/**
 * The UID of an appointment in calendars, the same in every email and download. Patients' calendars already
 * hold it, so its form must never change. See R-84.
 */
export const calendarUid = (bookingNumber: string): string =>
  `${bookingNumber.toLowerCase()}@visits.clinic-booking`;

/**
 * The appointment as an iCalendar file (RFC 5545), in UTC: no zone data that could be old.
 * and R-84.
 */
export function calendarFile(appointment: CalendarEvent): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Clinic booking//Visits//EN',
    `METHOD:${appointment.method}`,
    'BEGIN:VEVENT',
    `UID:${appointment.uid}`,
    `SEQUENCE:${appointment.sequence}`,
    `DTSTAMP:${utc(appointment.writtenAt)}`,
    `DTSTART:${utc(appointment.start)}`,
    `DTEND:${utc(appointment.end)}`,
    `SUMMARY:${escaped(appointment.summary)}`,
    `DESCRIPTION:${escaped(appointment.description)}`,
    ...(appointment.location === '' ? [] : [`LOCATION:${escaped(appointment.location)}`]),
    `ORGANIZER;CN="${appointment.organizer.name.replaceAll('"', "'")}":mailto:${appointment.organizer.email}`,
    `STATUS:${appointment.method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** '20261215T200000Z'. */
const utc = (at: EpochSeconds): string =>
  new Date(at * 1000).toISOString().replace(/[-:]|\.\d{3}/g, '');

const escaped = (text: string): string =>
  text.replace(/[\\;,]/g, (mark) => `\\${mark}`).replace(/\r?\n/g, '\\n');

/** RFC 5545 §3.1: lines of 75 octets at most, continued after a space; no character is cut. */
function folded(line: string): string {
  const parts: string[] = [];
  let part = '';
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character);
    if (octets + size > 75) {
      parts.push(part);
      part = ' ';
      octets = 1;
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join('\r\n');
}

function octetsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
