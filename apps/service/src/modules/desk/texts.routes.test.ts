import { currentAgreement } from '@clinic/contract/agreements';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SomeStaff, aStaffMember, askDesk, deskSession } from '../../../testing/desk.ts';
import { type TestApp, testApp } from '../../../testing/index.ts';
import { agreementText, audit } from '../../schema.ts';

let clinic: TestApp;
let manager: SomeStaff;
let cookie: string;
beforeEach(async () => {
  clinic = await testApp();
  manager = await aStaffMember(clinic, 'manager');
  cookie = await deskSession(clinic, manager);
});
afterEach(() => clinic.close());

const english = {
  locale: 'en',
  title: 'Fees',
  text: '{clinicName} asks\nfor {fee}.\n\nThe booking fee is {bookingFee}.',
};
const french = { locale: 'fr', title: 'Frais', text: '{clinicName} demande {fee}.' };
const first = { seen: '1.2', texts: [english, french], isPreview: false };
const publish = (over: object = {}, kind = 'feeWarning') =>
  askDesk(clinic, 'deskPublishText', { cookie, params: { kind }, body: { ...first, ...over } });
const kindsOf = async () => (await askDesk(clinic, 'deskTexts', { cookie })).answer().extras.texts;
const feeWarning = async () =>
  (await askDesk(clinic, 'deskText', { cookie, params: { kind: 'feeWarning' } })).answer().extras;
const rows = () => clinic.database.db.select().from(agreementText);

describe('The texts that patients agree to (R-104)', () => {
  // Shows: R-104
  test('are the product’s own drafts, in each language, until the clinic publishes', async () => {
    expect(await kindsOf()).toEqual(
      (['feeWarning', 'icbc', 'general', 'signUp'] as const).map((kind) => ({
        kind,
        version: currentAgreement(kind).version,
        isDraft: true,
        since: null,
        by: null,
      })),
    );
    const { versions, placeholders } = await feeWarning();
    expect(placeholders).toContainEqual({ name: 'fee', isNeeded: true });
    expect(
      versions.map(({ version, texts }) => [version, texts.map(({ locale }) => locale)]),
    ).toEqual([
      ['1.2', ['en', 'fr']],
      ['1.1', ['en']],
      ['1.0', ['en']],
    ]);
    expect(versions[0]?.texts[1]?.paragraphs[0]).toContain('{fee}');
  });

  // Shows: R-104
  test('are shown filled in before they are published, and are then numbered and on the trail', async () => {
    const seen = (await publish({ isPreview: true })).answer().extras;
    expect(seen).toEqual({
      isPublished: false,
      version: '1.2',
      shown: [
        {
          locale: 'en',
          title: 'Fees',
          paragraphs: ['Test Clinic asks for CAD 200.00.', 'The booking fee is $10.00.'],
          isTranslated: true,
        },
        {
          locale: 'fr',
          title: 'Frais',
          paragraphs: ['Test Clinic demande 200,00\u00A0$.'],
          isTranslated: true,
        },
      ],
    });
    expect(await rows()).toEqual([]);
    expect((await publish()).answer().extras).toMatchObject({ isPublished: true, version: '2' });
    const at = clinic.clock.now();
    expect((await kindsOf())[0]).toEqual({
      kind: 'feeWarning',
      version: '2',
      isDraft: false,
      since: at,
      by: 'Robin Lee',
    });
    expect((await publish({ seen: '2', texts: [english] })).answer().extras.version).toBe('3');
    const { versions } = await feeWarning();
    expect(versions.map(({ version, by }) => [version, by])).toEqual([
      ['3', 'Robin Lee'],
      ['2', 'Robin Lee'],
      ['1.2', null],
      ['1.1', null],
      ['1.0', null],
    ]);
    expect(versions[1]?.texts.map(({ title }) => title)).toEqual(['Fees', 'Frais']);
    const trail = clinic.database.db.select().from(audit).orderBy(audit.id);
    expect(await trail.where(eq(audit.action, 'text published'))).toMatchObject([
      { actor: `staff:${manager.id}`, subject: 'text:feeWarning', details: { version: 2 } },
      { details: { version: 3 } },
    ]);
  });

  test('are read in English where there is no translation', async () => {
    const { shown } = (await publish({ texts: [english], isPreview: true })).answer().extras;
    expect(shown.map(({ locale, title, isTranslated }) => [locale, title, isTranslated])).toEqual([
      ['en', 'Fees', true],
      ['fr', 'Fees', false],
    ]);
  });

  // Shows: R-104
  test('are not published over what somebody else published; the same sent again is the same', async () => {
    const both = await Promise.all([
      publish(),
      publish({ texts: [{ ...english, title: 'Our fees' }] }),
    ]);
    expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const [row] = await rows();
    const lost = row?.title === 'Fees' ? { texts: [{ ...english, title: 'Our fees' }] } : {};
    const won = row?.title === 'Fees' ? {} : { texts: [{ ...english, title: 'Our fees' }] };
    expect((await publish(lost)).code()).toBe('changedMeanwhile');
    expect((await publish(won)).answer().extras).toMatchObject({ isPublished: true, version: '2' });
    expect(new Set((await rows()).map(({ version }) => version))).toEqual(new Set([2]));
  });

  test.each([
    ['no English text', [french], 'texts', 'the English text'],
    [
      'a language that is not offered',
      [english, { ...french, locale: 'de' }],
      'texts.1.locale',
      '',
    ],
    ['a language twice', [english, english], 'texts.1.locale', ''],
    ['no words', [english, { ...french, text: ' ' }], 'texts.1.text', 'both a title and a text'],
    ['no fee', [{ ...english, text: 'Pay.' }], 'texts.0.text', 'Please name {fee}'],
    [
      'another placeholder',
      [{ ...english, text: '{fee} {name}' }],
      'texts.0.text',
      '{name} stands',
    ],
    ['a control character', [{ ...english, title: 'A\u001B[2J' }], 'texts.0.title', ''],
    ['too long a text', [{ ...english, text: '{fee}'.repeat(2_001) }], 'texts.0.text', ''],
  ])('with %s are refused at their field', async (_, texts, field, words) => {
    for (const isPreview of [true, false]) {
      const refused = await publish({ texts, isPreview });
      expect([refused.statusCode, refused.refusal().errors?.[0]?.field]).toEqual([422, field]);
      expect(refused.refusal().errors?.[0]?.message).toContain(words);
    }
    expect(await rows()).toEqual([]);
  });
});
