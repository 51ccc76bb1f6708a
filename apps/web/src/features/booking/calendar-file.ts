import type { EpochSeconds } from '@clinic/domain';

export interface CalendarEvent {
  readonly uid: string;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  /** When the file is made. */
  readonly stamp: EpochSeconds;
  readonly summary: string;
  readonly description: string;
  readonly location: string | null;
}

/** A calendar file in UTC, without zone data that a device could get wrong. */
export function calendarFile(event: CalendarEvent): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//clinic-booking//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${event.uid}`,
    `DTSTAMP:${utc(event.stamp)}`,
    `DTSTART:${utc(event.start)}`,
    `DTEND:${utc(event.end)}`,
    `SUMMARY:${escaped(event.summary)}`,
    `DESCRIPTION:${escaped(event.description)}`,
    ...(event.location === null ? [] : [`LOCATION:${escaped(event.location)}`]),
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** '20261215T200000Z'. */
function utc(at: EpochSeconds): string {
  return `${new Date(at * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, (sign) => `\\${sign}`).replaceAll(/\r?\n/g, '\\n');
}

/** RFC 5545: a line has at most 75 octets; what is longer goes on after a space. */
function folded(line: string): string {
  const encoder = new TextEncoder();
  const rows: string[] = [];
  let row = '';
  let octets = 0;
  for (const sign of line) {
    const size = encoder.encode(sign).length;
    if (octets + size > 75) {
      rows.push(row);
      row = ' ';
      octets = 1;
    }
    row += sign;
    octets += size;
  }
  return [...rows, row].join('\r\n');
}
