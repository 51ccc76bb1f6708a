import { expect, test } from 'vitest';
import { passkeySite } from './passkeys.ts';

// Shows: S-18
test.each([
  ['https://book.clinic.example', 'book.clinic.example', 'https://book.clinic.example'],
  ['https://clinic.example:8443', 'clinic.example', 'https://clinic.example:8443'],
  ['http://localhost:3000', 'localhost', 'http://localhost:3000'],
  ['http://127.0.0.1:3000', 'localhost', 'http://localhost:3000'],
  ['http://[::1]:3000', 'localhost', 'http://localhost:3000'],
])('A passkey at %s is of %s', (publicUrl, id, origin) => {
  expect(passkeySite(publicUrl)).toEqual({ id, origin });
});

test.each(['http://book.clinic.example', 'https://203.0.113.5', 'https://[2001:db8::5]'])(
  'There is no passkey at %s',
  (publicUrl) => {
    expect(passkeySite(publicUrl)).toBeNull();
  },
);
