import type { EpochSeconds } from '@clinic/domain';

/** One visit as a calendar shows it: no reason, no diagnosis, no kind of visit. */
export interface CalendarVisit {
  readonly method: 'PUBLISH' | 'CANCEL';
  /** Stays with the visit when it moves. */
  readonly uid: string;
  readonly sequence: number;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  readonly summary: string;
  readonly location: string;
  readonly organizer: { readonly name: string; readonly email: string };
  readonly writtenAt: EpochSeconds;
}

/** 'YYYYMMDDTHHMMSSZ': UTC, so that no calendar needs to know British Columbia's zone. */
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
    const size = Buffer.byteLength(character);
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

/** The visit as an iCalendar file (RFC 5545). */
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
    `LOCATION:${escaped(visit.location)}`,
    `ORGANIZER;CN="${visit.organizer.name.replaceAll('"', "'")}":mailto:${visit.organizer.email}`,
    `STATUS:${visit.method === 'CANCEL' ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}
