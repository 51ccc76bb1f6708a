import { readFileSync } from 'node:fs';
import type { CallId } from '@clinic/contract';
import { type ClinicDate, addDays, keyOfHold, toInstant } from '@clinic/domain';
import { aMedicalProfile } from '@clinic/domain/testing';
import { validBcNumber } from '@clinic/practice/accounts.ts';
import { feeRows, pharmacyRows } from '@clinic/practice/clinic-rows.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pharmacy } from '../src/schema.ts';
import {
  PASSWORD,
  type TestApp,
  aPatient,
  aPicture,
  aProvider,
  ask,
  datesFromToday,
  requestOf,
  scheduleFor,
  signIn,
  testApp,
  typesAndFees,
  unlimitedRates,
} from '../testing/index.ts';
import { charge, intentOf, practiceCard } from '../testing/paying.ts';
import { accountRequests } from './account-requests.ts';

/**
 * One example of each shape of request that the pages of version 0.2.0 (416b672a) sent while its journeys ran
 * (docs/testing.md). `{…}` stands for what the clinic of a test has in its place.
 */
interface Sent {
  readonly call: CallId;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly files?: readonly {
    readonly field: string;
    readonly name: string;
    readonly type: string;
  }[];
  /** The status and code of 0.2.0, where it refused. */
  readonly refused?: readonly [number, string];
}

const isText = (value: unknown): value is string => typeof value === 'string';

const linesOf = <T>(file: string): T[] =>
  readFileSync(new URL(`./version-0.2.0/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

const sent = linesOf<Sent>('calls.jsonl').map((each) => ({ ...each, name: nameOf(each) }));
/** What the contract of 0.2.0 said of the answers, without its bounds; null for a file. */
const answers = new Map(
  linesOf<{ readonly call: string; readonly answer: z.core.JSONSchema.BaseSchema | null }>(
    'answers.jsonl',
  ).map(({ call, answer }) => [call, answer]),
);

/** Calls of 0.2.0 that its pages did not send. */
const NOT_SENT: Readonly<Record<string, string>> = {
  getProvider: 'No page asks for a single provider.',
  mintDashboardLink:
    'The dashboard asks for it; dashboard-link.routes.test.ts does as a dashboard.',
};

function nameOf({ call, query, body, files, refused }: Sent): string {
  const typed = [body?.['selectedType'], query?.['selectedType'], query?.['type'], body?.['kind']];
  const fields = [...Object.keys(query ?? {}), ...Object.keys(body ?? {})];
  const named = [...typed.filter(isText), ...fields, ...(files ? ['files'] : [])];
  return [
    call,
    ...(refused ? [refused[0]] : []),
    ...(named.length > 0 ? [`(${named.join(' ')})`] : []),
  ].join(' ');
}

const DOCTOR = '101';
/** The hour from which the doctor takes each type, for two hours. */
const HOURS: Readonly<Record<string, number>> = {
  O: 6,
  P: 8,
  PP: 10,
  V: 12,
  I: 14,
  D: 16,
  M: 18,
  G: 20,
};

const FEES = feeRows('2020-01-01');

const hour = (time: number) => `${String(time).padStart(2, '0')}:00`;

let clinic: TestApp;
beforeAll(async () => {
  clinic = await testApp({ config: { rates: unlimitedRates() } });
  await typesAndFees(clinic);
  await aProvider(clinic);
  const plan = Object.entries(HOURS).map(([type, from]): [string, string[]] => [
    type === 'PP' ? 'Q' : type,
    [`${hour(from)}-${hour(from + 2)}`],
  ]);
  await scheduleFor(clinic, DOCTOR, datesFromToday(10), Object.fromEntries(plan));
  await clinic.database.inTransaction((tx) => tx.insert(pharmacy).values(pharmacyRows()));
});
afterAll(() => clinic.close());

const taken = new Map<string, number>();
/** A time that nobody else has, on that day or soon after. */
function slotOn(date: ClinicDate, selectedType: string) {
  const ofKind = `${selectedType} ${date}`;
  const before = taken.get(ofKind) ?? 0;
  taken.set(ofKind, before + 1);
  const from = toInstant(addDays(date, Math.floor(before / 24)), hour(HOURS[selectedType] ?? 0));
  const start = from + 300 * (before % 24);
  return { doctor: DOCTOR, start, end: start + 300, selectedType };
}

/** A patient of whom a recorded request is true, and what stands in it for `{…}`; made when it is asked for. */
async function valuesFor({ query, body }: Sent) {
  const type = typeof body?.['selectedType'] === 'string' ? body['selectedType'] : 'O';
  const cents = Number(body?.['amount']) * 100;
  const fee = FEES.find((each) => each.type === type && each.chargeCents === cents);
  const eligibility = query?.['eligibility'] ?? fee?.eligibility ?? 'E';
  const card = validBcNumber(70_000 + ++patients);
  const uploaded = { healthCardUploaded: true, pictureIdUploaded: true };
  const patient = await aPatient(clinic, { eligibility, cardNumber: card, ...uploaded });
  const token = await signIn(clinic, patient);
  const { email } = patient;
  const [year = 0, month = 0, day = 0] = patient.birthDate.split('-').map(Number);
  const slot = slotOn('2026-11-24', type);
  const makers: Readonly<Record<string, () => Value | Promise<Value>>> = {
    token: () => token,
    patient: () => patient.id,
    record: () => patient.recordId,
    card: () => card,
    email: () => email,
    newEmail: () => `somebody${patients}@test.example`,
    password: () => PASSWORD,
    proof,
    picture: () => `data:image/png;base64,${Buffer.from(aPicture().bytes).toString('base64')}`,
    unique: () => crypto.randomUUID().slice(0, 8),
    year: () => year,
    month: () => month,
    day: () => day,
    doctor: () => DOCTOR,
    start: () => slot.start,
    end: () => slot.end,
    async key() {
      const rescheduleOf = body?.['rescheduleOf'] ? await value('appointment') : null;
      if (type === 'M' || type === 'G')
        await ask(clinic, 'saveMedicalProfile', {
          token,
          body: { eMedProfile: aMedicalProfile() },
        });
      const held = await ask(clinic, 'placeHold', { token, body: { ...slot, rescheduleOf } });
      return keyOfHold(held.answer().extras.hold.id);
    },
    async appointment() {
      const other = slotOn('2026-11-27', type);
      const fees = await ask(clinic, 'appState', {
        token,
        query: { eligibility, selectedType: type },
      });
      const amount = fees.answer().extras.chargeAmount;
      const booking = { ...other, reason: 'A cough' };
      if (amount === 0)
        return (await ask(clinic, 'createBooking', { token, body: booking })).answer().extras
          .appointment.id;
      const paid = await charge(clinic, token, {
        ...booking,
        amount,
        payment_method_id: practiceCard(),
      });
      return paid.answer.extras.appointment?.id ?? '';
    },
    async intent() {
      const fees = await ask(clinic, 'appState', {
        token,
        query: { eligibility, selectedType: 'V' },
      });
      const amount = fees.answer().extras.chargeAmount;
      const asked = await charge(clinic, token, {
        ...slotOn('2026-11-27', 'V'),
        amount,
        reason: 'A cough',
        payment_method_id: practiceCard('needsBank'),
      });
      await clinic.gateway.decide(intentOf(asked), true);
      return intentOf(asked);
    },
    message: async () => (await writeMessage(token)).id,
    attachment: async () => (await writeMessage(token)).entries[0]?.files[0]?.id ?? '',
    async confirmToken() {
      const form = { ...accountRequests.register().body, preferredPharmacy: null };
      (await ask(clinic, 'register', { body: form })).answer();
      return mailed(form.email, /\/confirm\/([\w-]+)/);
    },
    async resetCode() {
      const who = { email, birthYear: year, birthMonth: month, birthDay: day };
      await ask(clinic, 'validateRecovery', { body: { ...who, recaptcha: proof() } });
      (await ask(clinic, 'sendResetCode', { body: { email } })).answer();
      return mailed(email, /^([A-Z2-9]{8})$/m);
    },
  };
  const made = new Map<string, Promise<Value>>();
  const value = (name: string): Promise<Value> => {
    const make = makers[name];
    if (!make) throw new Error(`Nothing stands for {${name}}`);
    const before = made.get(name) ?? Promise.resolve(make());
    made.set(name, before);
    return before;
  };
  return value;
}

type Value = string | number;
let patients = 0;
const proof = () => `ok:${crypto.randomUUID()}`;
const writeMessage = async (token: string) => {
  const written = await ask(clinic, 'startMessage', {
    token,
    body: { message: 'Good morning' },
    files: [aPicture()],
  });
  return written.answer().extras.message;
};
async function mailed(to: string, what: RegExp): Promise<string> {
  await clinic.platform.outbox.drain();
  const email = clinic.mail.sent.findLast((each) => each.to === to);
  return what.exec(email?.text ?? '')?.[1] ?? '';
}

/** The request with a value in each place. A place that is the whole of a text keeps the value's own type. */
async function filled(each: Sent): Promise<Sent> {
  const value = await valuesFor(each);
  const values = new Map<string, Value>();
  for (const [, name = ''] of JSON.stringify(each).matchAll(/\{(\w+)\}/g))
    values.set(name, await value(name));
  const fill = (_: string, part: unknown): unknown => {
    if (typeof part !== 'string') return part;
    const whole = /^\{(\w+)\}$/.exec(part)?.[1];
    if (whole !== undefined) return values.get(whole);
    return part.replace(/\{(\w+)\}/g, (_all, name: string) => String(values.get(name)));
  };
  return JSON.parse(JSON.stringify(each), fill) as Sent;
}

async function send(each: Sent) {
  const { call, params, query, headers, body, files } = await filled(each);
  return clinic.app.inject(
    requestOf(call, {
      ...(params && { params }),
      ...(query && { query }),
      headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, text])),
      ...(body && { body }),
      ...(files && { files: files.map((file) => ({ ...aPicture(), ...file })) }),
    }),
  );
}

describe('A page of version 0.2.0', () => {
  test.each(sent)('is answered as then: $name', async (each) => {
    const response = await send(each);
    const { statusCode, body } = response;
    const schema = answers.get(each.refused ? 'refusal' : each.call);
    if (each.refused) {
      const code: unknown = response.json<{ extras: { code: string } }>().extras.code;
      expect([statusCode, code]).toEqual(each.refused);
    } else expect([statusCode, body]).toEqual([200, expect.anything()]);
    if (schema === null || schema === undefined) return;
    expect(z.fromJSONSchema(schema).safeParse(response.json()).error?.issues ?? []).toEqual([]);
  });

  test('sends every call that it has, but those with a reason', () => {
    const calls = new Set(sent.map(({ call }) => call as string));
    const others = [...answers.keys()].filter((call) => call !== 'refusal' && !calls.has(call));
    expect(others.sort()).toEqual(Object.keys(NOT_SENT).sort());
  });
});
