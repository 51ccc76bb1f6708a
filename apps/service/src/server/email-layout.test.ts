import { type MailedAddress, mailedLink } from '@clinic/domain';
import { expect, test } from 'vitest';
import { signed } from './email-layout.ts';

const clinic = {
  name: 'Harbour & Sons',
  email: 'hello@clinic.example',
  phone: '604-555-0100',
  address: '1 Harbour Road, Vancouver',
  walkInHours: [],
};
const map = 'https://www.google.com/maps/search/?api=1&query=1%20Harbour%20Road%2C%20Vancouver';

// Shows: R-84
test('an email is signed with how to reach the clinic, as text and as a page', () => {
  const { subject, text, html } = signed('en', clinic, 'Booked', [
    'It is booked:',
    ['Tue Dec 15 2026 13:00', 'Dr. A. Stone'],
    {
      label: 'See My Appointments',
      link: mailedLink('https://book.clinic.example', 'myAppointments'),
    },
  ]);
  expect(subject).toBe('Booked - Harbour & Sons');
  expect(text).toBe(`It is booked:

Tue Dec 15 2026 13:00
Dr. A. Stone

See My Appointments: https://book.clinic.example/appointments

Harbour & Sons
1 Harbour Road, Vancouver
Show the clinic on a map: ${map}
Phone 604-555-0100
Email hello@clinic.example (not for medical advice)`);
  expect(html).toContain('<html lang="en" dir="ltr">');
  expect(html).toContain('<title>Booked</title>');
  expect(html).toContain('<header>Harbour &#38; Sons</header>');
  expect(html).toContain('<h1>Booked</h1>\n<p>It is booked:</p>');
  expect(html).toContain('<p class="facts">Tue Dec 15 2026 13:00<br>Dr. A. Stone</p>');
  expect(html).toContain(
    '<a href="https://book.clinic.example/appointments">See My Appointments</a>',
  );
  expect(html).toContain(`<a href="${map.replace('&', '&#38;')}">Show the clinic on a map</a>`);
  expect(html).toContain('<a href="tel:604-555-0100">Phone 604-555-0100</a>');
  expect(html).toContain('<a href="mailto:hello@clinic.example">');
});

// Shows: R-99
test.each([
  ['fr', 'ltr'],
  ['en-XB', 'rtl'],
])('the page of an email in %s says its language, and that it runs %s', (locale, direction) => {
  const { html } = signed(locale, clinic, 'Booked', []);
  expect(html).toContain(`<html lang="${locale}" dir="${direction}">`);
});

// Shows: S-10
test('whatever an email says is text on its page (S-10)', () => {
  const bad = '"><script>alert(1)</script>\'&';
  const { html } = signed(
    'en',
    { ...clinic, name: bad, address: bad, phone: bad, email: bad },
    bad,
    [bad, [bad, bad], { label: bad, link: bad as MailedAddress }],
  );
  const shown = '&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#39;&#38;';
  expect(html).not.toMatch(/<script|'&(?!#)/);
  for (const [open, close] of [
    ['<title>', '</title>'],
    ['<header>', '</header>'],
    ['<p>', '</p>'],
    ['<p class="facts">', '<br>'],
    ['<a href="', '">'],
    ['<a href="mailto:', '">'],
  ])
    expect(html).toContain(`${open}${shown}${close}`);
});
