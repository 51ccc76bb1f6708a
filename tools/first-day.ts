// The first day of a new clinic, through the calls that the pages make. The first patient signs up, follows
// the link in the email, signs in and books. The first member of staff accepts the invitation, signs in at
// the front desk and sees the appointment. Run once by `npm run topology -- road`:
//   node tools/first-day.ts <address of the clinic> <folder in which its emails arrive>
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DeskCallId } from '@clinic/contract';
import type { CallId } from '@clinic/contract/routes';
import { type CallResult, clientOver, createClient } from '@clinic/contract/client';
import { currentAgreement } from '@clinic/contract/agreements';
import { deskRoutes } from '@clinic/contract/desk-routes';
import { formatAppointment, toClinic } from '@clinic/domain';
import { totpCode } from '../apps/service/src/security/totp.ts';
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

function answerOf<Id extends CallId | DeskCallId>(result: CallResult<Id>) {
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

const STAFF_PASSWORD = 'Kettle-and-Fern-2026';
/** A code works once; the service already accepts the next period's code. */
const PERIOD_SECONDS = 30;
const now = Math.floor(Date.now() / 1000);
let cookie = '';
const atDesk = clientOver<DeskCallId>(deskRoutes, {
  base: `${clinicUrl}/api`,
  fetch,
  headers: () => ({ origin: clinicUrl, cookie }),
  onAnswer: ({ headers }) => {
    const [given] = headers.getSetCookie();
    if (given !== undefined) cookie = given.split(';', 1)[0] ?? '';
  },
});
const page = await fetch(`${clinicUrl}/desk`);
if (!page.ok) throw new Error(`The front desk answers ${page.status}`);
const invitation = await theNext(() => /\/desk\/invitation#([\w-]+)/.exec(emails())?.[1]);
const { extras: invited } = answerOf(
  await atDesk('deskReadInvitation', { body: { token: invitation } }),
);
answerOf(
  await atDesk('deskAcceptInvitation', {
    body: { token: invitation, password: STAFF_PASSWORD, code: totpCode(invited.secret, now) },
  }),
);
const { extras: session } = answerOf(
  await atDesk('deskSignIn', {
    body: {
      email: invited.email,
      password: STAFF_PASSWORD,
      code: totpCode(invited.secret, now + PERIOD_SECONDS),
      // Nobody is known at a new computer.
      recaptcha: await solvedCaptcha(clinicUrl),
    },
  }),
);
console.log(`${session.name} is signed in at the front desk as ${session.roles.join(', ')}`);
const { extras: sheet } = answerOf(
  await atDesk('deskDay', { params: { date: toClinic(slot.start).date } }),
);
const seen = sheet.providers
  .find(({ id: provider }) => provider === slot.doctor)
  ?.appointments.find(({ start }) => start === slot.start);
if (!seen?.patient?.includes('First')) throw new Error('The day sheet lacks the appointment');
console.log(`and sees ${seen.patient} on the day sheet`);

/** All emails so far, with the line breaks of quoted-printable removed. */
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
