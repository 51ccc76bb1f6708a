import { toInstant } from '@clinic/domain';
import { expect, test } from 'vitest';
import { calendarFile } from './calendar-file.ts';

const start = toInstant('2026-12-15', '13:00');
const event = {
  uid: 'a1@clinic',
  start,
  end: start + 300,
  stamp: start - 86_400,
  summary: 'In-person visit at Harbour Clinic',
  description: 'Tue Dec 15 2026 13:00, Pacific time. Questions: 604-555-0100; ask',
  location: '1 Main St, Vancouver',
};

test('the times are in UTC: 13:00 on the clinic wall is 20:00Z in December 2026', () => {
  const file = calendarFile(event);
  expect(file).toContain('DTSTART:20261215T200000Z\r\n');
  expect(file).toContain('DTEND:20261215T200500Z\r\n');
  expect(file).not.toContain('TZID');
});

test('commas, semicolons and line ends are escaped', () => {
  expect(calendarFile(event)).toContain('LOCATION:1 Main St\\, Vancouver\r\n');
  expect(calendarFile({ ...event, summary: 'a;b\nc' })).toContain('SUMMARY:a\\;b\\nc\r\n');
});

test('no line is longer than 75 octets, whatever the letters', () => {
  const file = calendarFile({ ...event, description: 'é'.repeat(200) });
  const lengths = file.split('\r\n').map((line) => new TextEncoder().encode(line).length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(75);
  expect(file.replaceAll('\r\n ', '')).toContain(`DESCRIPTION:${'é'.repeat(200)}`);
});
