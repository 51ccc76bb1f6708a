import type { EpochSeconds } from '../clinic-time.ts';

/** One visit as a calendar shows it: no reason, no diagnosis. */
export interface CalendarVisit {
  readonly method: 'PUBLISH' | 'CANCEL';
  /** Stays with the visit when it moves, so that a calendar never shows it twice: `visitUid`. */
  readonly uid: string;
  /** Higher with each change of the visit. */
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

/** The name of a visit in calendars, the same in every mail and download. */
export function visitUid(bookingNumber: string): string {
  return `${bookingNumber.toLowerCase()}@visits.clinic-booking`;
}

/** The visit as an iCalendar file (RFC 5545), in UTC: no zone data that could be old. */
export function calendarFile(visit: CalendarVisit): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Clinic booking//Visits//EN',
    `METHOD:${visit.method}`,
    'BEGIN:VEVENT',
    `UID:${visit.uid}`,
    `SEQUENCE:${visit.sequence}`,
    `DTSTAMP:${utc(visit.writtenAt)}`,
    `DTSTART:${utc(visit.start)}`,
    `DTEND:${utc(visit.end)}`,
    `SUMMARY:${escaped(visit.summary)}`,
    `DESCRIPTION:${escaped(visit.description)}`,
    ...(visit.location === '' ? [] : [`LOCATION:${escaped(visit.location)}`]),
    `ORGANIZER;CN="${visit.organizer.name.replaceAll('"', "'")}":mailto:${visit.organizer.email}`,
    `STATUS:${visit.method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** '20261215T200000Z'. */
function utc(at: EpochSeconds): string {
  return new Date(at * 1000).toISOString().replace(/[-:]|\.\d{3}/g, '');
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, (mark) => `\\${mark}`).replace(/\r?\n/g, '\\n');
}

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
