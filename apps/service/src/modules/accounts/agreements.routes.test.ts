import { createHash } from 'node:crypto';
import {
  agreementSource,
  agreements,
  currentAgreement,
  shownAgreement,
} from '@clinic/contract/agreements';
import { NOW } from '@clinic/domain/testing';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type TestApp, aPatient, ask, signIn, testApp } from '../../../testing/index.ts';
import { aPublishedText } from '../../../testing/desk.ts';
import { agreement, agreementText } from './schema.ts';

let clinic: TestApp;
let token: string;
let patientId: string;
beforeEach(async () => {
  clinic = await testApp();
  const patient = await aPatient(clinic);
  patientId = patient.id;
  token = await signIn(clinic, patient);
});
afterEach(() => clinic.close());

const save = (body: object) => ask(clinic, 'saveAgreement', { token, body });
const named = (kind: 'feeWarning' | 'icbc' | 'general') => {
  const { version, hash } = currentAgreement(kind);
  return { kind, version, hash };
};
const hashOf = (words: string) => createHash('sha256').update(words).digest('hex');
const rows = () => clinic.database.db.select().from(agreement);

describe('Agreeing to a text (R-36)', () => {
  // Shows: 7.services.3, R-36
  test.each(['feeWarning', 'icbc', 'general'] as const)(
    'writes down the %s by kind, version and hash, each time anew',
    async (kind) => {
      expect((await save(named(kind))).answer()).toEqual({ success: true });
      expect((await save(named(kind))).answer()).toEqual({ success: true });
      const { version, hash } = currentAgreement(kind);
      const row = { patientId, kind, version, textHash: hash, at: NOW };
      expect(await rows()).toMatchObject([row, row]);
    },
  );

  // Shows: R-99
  test('keeps the language in which it was read, with the hash of that text and of the English one', async () => {
    const body = named('general');
    await ask(clinic, 'saveAgreement', { token, body, headers: { 'accept-language': 'fr-CA' } });
    await ask(clinic, 'saveAgreement', { token, body });
    const shownIn = (locale: string) =>
      createHash('sha256')
        .update(agreementSource(shownAgreement(locale, 'general')))
        .digest('hex');
    expect(await rows()).toMatchObject([
      { textHash: body.hash, locale: 'fr', shownHash: shownIn('fr') },
      { textHash: body.hash, locale: 'en', shownHash: body.hash },
    ]);
  });

  test('is in the audit trail', async () => {
    await save(named('general'));
    const [row] = await rows();
    const trail = await clinic.trail();
    expect(trail.at(-1)).toMatchObject({
      actor: `patient:${patientId}`,
      action: 'agreement saved',
      subject: `agreement:${row?.id}`,
      details: { kind: 'general', version: row?.version },
    });
  });

  // Shows: 7.services.3, R-36
  test.each([
    ['an unknown version', { version: '0.9' }],
    ['the hash of other words', { hash: '0'.repeat(64) }],
    ['the hash of another kind', { hash: currentAgreement('icbc').hash }],
  ])('to %s asks to reload the page, and writes nothing', async (_, over) => {
    const refused = await save({ ...named('general'), ...over });
    expect([refused.statusCode, refused.refusal().extras.code]).toEqual([409, 'agreementOutdated']);
    expect(refused.refusal().extras.message).toContain('reload the page');
    expect(await rows()).toEqual([]);
  });

  test.each([
    ['kind', 'signUp'],
    ['kind', 'everything'],
    ['hash', 'ABC'],
    ['version', ''],
  ])('with %s %j is a 422 that names the field', async (field, value) => {
    const refused = await save({ ...named('general'), [field]: value });
    expect([refused.statusCode, refused.refusal().errors?.[0]?.field]).toEqual([422, field]);
  });

  // Shows: S-5
  test('is written thirty times in fifteen minutes at most, however many ask at once (S-5)', async () => {
    const many = await Promise.all(Array.from({ length: 100 }, () => save(named('general'))));
    expect(many.filter(({ statusCode }) => statusCode === 200)).toHaveLength(30);
    expect(await rows()).toHaveLength(30);
    const refused = await save(named('general'));
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '900']);
    clinic.clock.advance(900);
    expect((await save(named('general'))).statusCode).toBe(200);
  });

  const ofOlderPages = agreements.filter((each) => each.ofOlderPages);
  // Shows: R-36
  test.each(ofOlderPages)(
    'to the $kind $version that pages of 0.2.0 show is written down as that one, until the clinic publishes its own',
    async ({ kind, version, hash }) => {
      const body = { kind, version, hash };
      expect((await save(body)).answer()).toEqual({ success: true });
      await ask(clinic, 'saveAgreement', { token, body, headers: { 'accept-language': 'fr' } });
      const row = { kind, version, textHash: hash };
      expect(await rows()).toMatchObject([
        { ...row, locale: 'en', shownHash: hash },
        { ...row, locale: 'fr', shownHash: null },
      ]);
      expect((await save({ ...body, hash: '0'.repeat(64) })).statusCode).toBe(409);
      const english = { locale: 'en', title: 'Our warning', text: 'You pay {fee}.' };
      await aPublishedText(clinic, kind, {
        seen: currentAgreement(kind).version,
        texts: [english],
      });
      expect((await save(body)).statusCode).toBe(409);
    },
  );

  // Shows: R-104
  test('is to the text that the clinic has published, and no more to the one before', async () => {
    const english = { locale: 'en', title: 'Our policy', text: 'Come early.\n\nPay {bookingFee}.' };
    const french = { locale: 'fr', title: 'Nos règles', text: 'Venez tôt.' };
    await aPublishedText(clinic, 'general', { seen: '1.0', texts: [english, french] });
    expect((await save(named('general'))).refusal().extras.code).toBe('agreementOutdated');
    const hash = hashOf('Our policy\n\nCome early.\n\nPay {bookingFee}.');
    const { agreements: shown } = (await ask(clinic, 'getConfig')).answer().extras;
    expect(shown).toEqual([
      {
        kind: 'general',
        version: '2',
        hash,
        texts: [
          { locale: 'en', title: 'Our policy', paragraphs: ['Come early.', 'Pay {bookingFee}.'] },
          { locale: 'fr', title: 'Nos règles', paragraphs: ['Venez tôt.'] },
        ],
      },
    ]);
    const body = { kind: 'general', version: '2', hash };
    const headers = { 'accept-language': 'fr' };
    (await ask(clinic, 'saveAgreement', { token, body, headers })).answer();
    await aPublishedText(clinic, 'general', {
      seen: '2',
      texts: [{ ...english, title: 'Policy' }],
    });
    expect((await save(body)).refusal().extras.code).toBe('agreementOutdated');
    const newer = hashOf('Policy\n\nCome early.\n\nPay {bookingFee}.');
    const next = { kind: 'general', version: '3', hash: newer };
    (await ask(clinic, 'saveAgreement', { token, body: next, headers })).answer();
    // The one without a translation was read in English.
    expect(await rows()).toMatchObject([
      { version: '2', textHash: hash, locale: 'fr', shownHash: hashOf('Nos règles\n\nVenez tôt.') },
      { version: '3', textHash: newer, locale: 'en', shownHash: newer },
    ]);
  });

  test('is read as it was last while the database is silent, and nobody waits for that', async () => {
    const texts = [{ locale: 'en', title: 'Our policy', text: 'Come early.' }];
    await aPublishedText(clinic, 'general', { seen: '1.0', texts });
    const shown = async () => (await ask(clinic, 'getConfig')).answer().extras.agreements;
    const before = await shown();
    const silent = {
      from: () => silent,
      where: () => silent,
      orderBy: () => new Promise(() => {}),
    };
    const select = vi.spyOn(clinic.platform.database.db, 'select');
    select.mockReturnValue(silent as never);
    const after = await shown();
    select.mockRestore();
    expect(before).toHaveLength(1);
    expect(after).toEqual(before);
  });

  // Shows: R-104
  test('leaves what was published as it is: the database itself refuses', async () => {
    const texts = [{ locale: 'en', title: 'Our policy', text: 'Come early.' }];
    await aPublishedText(clinic, 'general', { seen: '1.0', texts });
    for (const change of [
      sql`update agreement_text set title = 'x'`,
      sql`delete from agreement_text`,
    ])
      await expect(clinic.database.db.execute(change)).rejects.toThrow();
    expect(await clinic.database.db.select().from(agreementText)).toHaveLength(1);
  });

  test('is never changed or taken back: the database itself refuses', async () => {
    await save(named('general'));
    for (const change of [sql`update agreement set version = '9'`, sql`delete from agreement`])
      await expect(clinic.database.db.execute(change)).rejects.toThrow();
    expect(await rows()).toHaveLength(1);
  });
});

test('Every text is a draft until the counsel of the clinic has read it (R-38)', () => {
  expect(agreements.every(({ draft }) => draft)).toBe(true);
});
