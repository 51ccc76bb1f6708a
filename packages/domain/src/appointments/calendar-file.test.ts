import { expect, test } from 'vitest';

import { toInstant } from '../clinic-time.ts';
import { calendarFile, calendarUid } from './calendar-file.ts';

const start = toInstant('2026-12-15', '13:00');
const appointment = {
  method: 'PUBLISH',
  uid: calendarUid('AB12CD'),
  sequence: 0,
  start,
  end: start + 300,
  summary: 'Appointment at Harbour Clinic, Vancouver',
  description: 'Tue Dec 15 2026 13:00 British Columbia time (UTC−7 all year)',
  location: '1 Main St, Vancouver',
  organizer: { name: 'Harbour "View" Clinic', email: 'hello@clinic.example' },
  writtenAt: start - 86_400,
} as const;
const lengths = (file: string) => file.split('\r\n').map((line) => Buffer.byteLength(line));

test('the times are in UTC: 13:00 on the clinic wall is 20:00Z in December 2026', () => {
  const file = calendarFile(appointment);
  expect(file).toContain('DTSTART:20261215T200000Z\r\n');
  expect(file).toContain('DTEND:20261215T200500Z\r\n');
  expect(file).toContain('DTSTAMP:20261214T200000Z\r\n');
  expect(file).not.toContain('TZID');
});

test('a cancelled appointment keeps its name and says so', () => {
  const file = calendarFile({ ...appointment, method: 'CANCEL', sequence: 1 });
  expect(file).toContain('UID:ab12cd@visits.clinic-booking\r\n');
  expect(file).toContain('METHOD:CANCEL\r\n');
  expect(file).toContain('SEQUENCE:1\r\n');
  expect(file).toContain('STATUS:CANCELLED\r\n');
});

test('commas, semicolons, backslashes and line ends are escaped', () => {
  expect(calendarFile(appointment)).toContain('LOCATION:1 Main St\\, Vancouver\r\n');
  expect(calendarFile({ ...appointment, summary: 'a;b\nc\\d' })).toContain(
    'SUMMARY:a\\;b\\nc\\\\d\r\n',
  );
});

test('a quotation mark in the name of the clinic does not end the name', () => {
  expect(calendarFile(appointment)).toContain(`CN="Harbour 'View' Clinic"`);
});

test('an appointment without a place has no line for it', () => {
  expect(calendarFile({ ...appointment, location: '' })).not.toContain('LOCATION');
});

test.each(['é', '診', '🙂'])(
  'no line is longer than 75 octets when all letters are %s',
  (letter) => {
    const file = calendarFile({ ...appointment, description: letter.repeat(200) });
    expect(Math.max(...lengths(file))).toBeLessThanOrEqual(75);
    expect(Math.max(...lengths(file))).toBeGreaterThan(71);
    expect(file.replaceAll('\r\n ', '')).toContain(`DESCRIPTION:${letter.repeat(200)}\r\n`);
  },
);
