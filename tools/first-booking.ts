// The first patient of a clinic that has just opened, over the calls that the pages make: signs up,
// follows the link of the email, signs in and books. Once, for `npm run topology -- road`:
//   node tools/first-booking.ts <address of the clinic> <folder in which its emails arrive>
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { CallId } from '@clinic/contract/routes';
import { type CallResult, createClient } from '@clinic/contract/client';
import { currentAgreement } from '@clinic/contract/agreements';
import { formatAppointment } from '@clinic/domain';
import { solvedCaptcha } from '../e2e/src/solved-captcha.ts';

const [, , clinicUrl = '', mailbox = ''] = process.argv;
const email = 'kim@patient.ca';
const PASSWORD = 'First-Patient-2026';
let token = '';
const ask = createClient({
  base: `${clinicUrl}/api`,
  fetch,
  headers: () => (token === '' ? {} : { 'x-access-token': token }),
});

function answerOf<Id extends CallId>(result: CallResult<Id>) {
  if (result.kind === 'answer') return result.answer;
  throw new Error(`The clinic answers ${JSON.stringify(result)}`);
}

await ask('register', {
  body: {
    firstName: 'Kim',
    lastName: 'First',
    gender: 'Female',
    address: '12 Main Street',
    city: 'Vancouver',
    province: 'BC',
    postal: 'V5K 0A1',
    mobilePhone: '604-555-0142',
    email,
    emailConfirm: email,
    password: PASSWORD,
    passwordConfirm: PASSWORD,
    healthCardProvince: 'BC',
    healthCardNumber: '9876543218',
    healthCardNumberConfirm: '9876543218',
    country: 'Canada',
    birthDay: 17,
    birthMonth: 5,
    birthYear: 1984,
    consent: { given: true, version: currentAgreement('signUp').version },
    recaptcha: await solvedCaptcha(clinicUrl),
  },
}).then(answerOf);
console.log(`signed up as ${email}`);
const link = await theNext(() => /\/confirm\/([\w-]+)/.exec(emails())?.[1]);
answerOf(await ask('confirmEmail', { body: { token: link, password: PASSWORD } }));
console.log('confirmed by the link of the email');
const { extras } = answerOf(
  await ask('login', {
    body: {
      method: 'email',
      email,
      password: PASSWORD,
      recaptcha: await solvedCaptcha(clinicUrl),
    },
  }),
);
token = extras.accessToken ?? '';
const { id, demographicNo } = answerOf(await ask('getMe', {}));
answerOf(await ask('createDemographics', { body: { id, hasFamilyDoc: false } }));
console.log(`signed in, with the record ${demographicNo}`);
const { slot } = answerOf(await ask('earliestSlot', { query: { type: 'O', id: '-1' } })).extras;
if (slot === null) throw new Error('There is no time to book');
const wanted = { start: slot.start, end: slot.end, doctor: slot.doctor, selectedType: 'O' };
answerOf(await ask('placeHold', { body: wanted }));
answerOf(
  await ask('createBooking', {
    headers: { 'idempotency-key': crypto.randomUUID() },
    body: { ...wanted, reason: 'a cough' },
  }),
);
const { appointments } = answerOf(await ask('listAppointments', { query: {} }));
if (appointments.length !== 1) throw new Error('The appointment is not in My Appointments');
console.log(`booked ${formatAppointment(slot.start)} with the provider ${slot.doctor}`);
await theNext(() => (/appointment\.ics/.test(emails()) ? 'sent' : undefined));
console.log('and the email with the appointment has arrived');

/** All emails so far; what a line's end split is put together again. */
function emails(): string {
  const files = readdirSync(mailbox).map((file) => readFileSync(join(mailbox, file), 'latin1'));
  return files.join('\n').replaceAll('=\r\n', '');
}

async function theNext(look: () => string | undefined): Promise<string> {
  for (let tries = 0; tries < 60; tries++) {
    const found = look();
    if (found !== undefined) return found;
    await pause(500);
  }
  throw new Error('The email does not arrive');
}
