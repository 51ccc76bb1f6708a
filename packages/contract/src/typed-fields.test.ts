import {
  BAD_EMAILS,
  BLANK_NAMES,
  GOOD_EMAILS,
  GOOD_NAMES,
  UNSEEN_LINES,
  WAYS_TO_WRITE_A_PHONE,
} from '@clinic/domain/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AnyCall, calls, deskCalls } from './index.ts';
import { kinds } from './shapes.ts';

/** A text that some call takes. */
interface Field {
  readonly call: string;
  /** Such as 'eMedProfile.firstName'. */
  readonly path: string;
  readonly name: string;
  readonly schema: z.ZodString;
}

/** What an optional, a list or a choice is made of. */
function partsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  const { innerType, element, options, in: input } = schema._zod.def as PartsOfSchema;
  return [innerType, element, input, ...(options ?? [])].filter((each) => each !== undefined);
}
interface PartsOfSchema extends z.core.$ZodTypeDef {
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
}

function textsIn(call: string, schema: z.core.$ZodType, path: readonly string[] = []): Field[] {
  if (schema instanceof z.ZodString)
    return [{ call, path: path.join('.'), name: path.at(-1) ?? '', schema }];
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape as Record<string, z.core.$ZodType>).flatMap(([name, each]) =>
      textsIn(call, each, [...path, name]),
    );
  return partsOf(schema).flatMap((each) => textsIn(call, each, path));
}

const everyCall: readonly AnyCall[] = [...Object.values(calls), ...Object.values(deskCalls)];
const fields = everyCall.flatMap(({ id, params, query, headers, body }) =>
  [params, query, headers, body].flatMap((part) => (part ? textsIn(id, part) : [])),
);
const kindOf = ({ schema }: Field) => kinds.get(schema)?.kind;
const takes = ({ schema }: Field, value: string) => schema.safeParse(value).success;
const placesOf = (kind: string) =>
  fields
    .filter((field) => kindOf(field) === kind)
    .map(({ call, path }) => `${call} ${path}`)
    .sort();

/** By name: each has a rule of its own, or is written in lines, or is nothing that a person reads. */
const NO_LINES = new Set(
  [
    // found by it, or compared with what is kept
    'id doctor providerId providerIds rescheduleOf demographicNo recordId chart other pharmacy',
    'preferredPharmacy previousTicklers stripePaymentToken token version seen after',
    'idempotency-key x-changed x-form-version language locale one another same apartFrom',
    // secrets
    'password passwordConfirm currentPassword newPassword secret code recaptcha',
    // judged by rules of their own
    'phone mobile mobilePhone internationalPhone phone1 fax birthDate healthCardProvince',
    'healthCardNumber healthCardNumberConfirm hin card number province sex familyDoc',
    'passportNumber identityDocument preferredLanguage',
    // in lines
    'reason symptom medicationTaken experiencingList treatmentList text message dataURL err date',
    'details',
  ].flatMap((names) => names.split(' ')),
);

describe('A text that a call takes', () => {
  // Shows: S-17
  test('is a line, a name or an email in which all can be seen, unless it is known for what it is', () => {
    const others = fields.filter(
      (field) =>
        kindOf(field) !== 'stored' &&
        !NO_LINES.has(field.name) &&
        UNSEEN_LINES.some((value) => takes(field, value)),
    );
    expect(others.map(({ call, path }) => `${call} ${path}`)).toEqual([]);
  });

  test('that is called a name or an email is of the one type for it', () => {
    const called = fields.filter(({ name }) => /name|mail/i.test(name));
    expect(called.length).toBeGreaterThan(20);
    const others = called.filter((field) => kindOf(field) === undefined);
    expect(others.map(({ call, path }) => `${call} ${path}`)).toEqual([]);
    expect(placesOf('email').concat(placesOf('emailInForm'))).toEqual([
      'deskCorrectEmail email',
      'deskInvite email',
      'deskInvitePatient email',
      'register email',
      'register emailConfirm',
    ]);
  });

  test('is judged by the rules of its form where it has one', () => {
    expect(placesOf('nameInForm')).toEqual(
      ['deskAddPatient', 'deskCorrectPatient', 'deskLikelyPatients', 'register']
        .flatMap((call) => [`${call} firstName`, `${call} lastName`])
        .concat(
          'saveMedicalProfile eMedProfile.firstName',
          'saveMedicalProfile eMedProfile.lastName',
        ),
    );
  });

  test('is taken as it is stored where nothing new is entered', () => {
    expect(placesOf('stored')).toEqual([
      'addPreferredPharmacy pharmacy.address.address',
      'addPreferredPharmacy pharmacy.name',
      'deskAskPasskey email',
      'deskSignIn email',
      'login email',
      'mintDashboardLink email',
      'resendConfirmation email',
      'resetPassword email',
      'sendResetCode email',
      'updateMe address',
      'updateMe city',
      'updateMe country',
      'updateMe firstName',
      'updateMe lastName',
      'updateMe postal',
      'updateMe province',
      'validateRecovery email',
    ]);
    const emails = fields.filter((field) => kindOf(field) === 'stored' && field.name === 'email');
    for (const field of emails)
      for (const typed of ['a@x,b@x', 'josé@bücher.example', 'jo\u200B@x.example'])
        expect([field.call, takes(field, typed)]).toEqual([field.call, true]);
  });
});

const ofKind = (...names: readonly string[]) =>
  fields.filter((field) => names.includes(kindOf(field) ?? ''));

describe('A name', () => {
  // Shows: S-17
  test.each(ofKind('name', 'nameInForm'))('in $call $path is one that can be seen', (field) => {
    for (const name of GOOD_NAMES) expect(field.schema.parse(name)).toBe(name.normalize('NFC'));
    const blank = BLANK_NAMES.filter((name) => name.trim() !== '' || kindOf(field) === 'name');
    expect([...UNSEEN_LINES, ...blank].filter((name) => takes(field, name))).toEqual([]);
  });

  test('is kept in NFC', () => {
    for (const { schema } of ofKind('name', 'nameInForm'))
      expect(schema.parse('Ame\u0301lia')).toBe('Am\u00E9lia');
  });
});

describe('An email', () => {
  // Shows: S-17
  test.each(ofKind('email'))('in $call $path is the address of one person', ({ schema }) => {
    for (const [typed, stored] of GOOD_EMAILS) expect(schema.parse(typed)).toBe(stored);
    const taken = BAD_EMAILS.filter(([typed]) => schema.safeParse(typed).success);
    expect(taken).toEqual([]);
  });
});

describe('What is entered', () => {
  test('is refused by its length where it is too long, so that the answer says how much fits', () => {
    const wrong = fields.filter(({ schema }) => {
      const { maxLength: most } = z.toJSONSchema(schema, { io: 'input' });
      if (most === undefined || most > 10_000) return false;
      const { error } = schema.safeParse('1'.repeat(most + 1));
      return error?.issues.some(({ code }) => code === 'too_big') !== true;
    });
    expect(wrong.map(({ call, path }) => `${call} ${path}`)).toEqual([]);
  });

  test('as a phone number reaches the one rule as it was written', () => {
    const phones = fields.filter(({ name }) => /phone|mobile|^tel$|^fax$/i.test(name));
    const typed = ['register', 'updateMe', 'deskAddPatient', 'deskLikelyPatients'];
    const judged = phones.filter(({ call }) => typed.includes(call));
    // The form for the immigration exam takes digits alone, a pharmacy is compared with the kept ones.
    const others = phones.filter((field) => !judged.includes(field));
    expect(others.map(({ call }) => call).sort()).toEqual([
      'addPreferredPharmacy',
      'addPreferredPharmacy',
      'saveMedicalProfile',
    ]);
    expect(judged).toHaveLength(8);
    for (const { schema } of judged)
      for (const [written] of WAYS_TO_WRITE_A_PHONE) expect(schema.parse(written)).toBe(written);
  });
});
