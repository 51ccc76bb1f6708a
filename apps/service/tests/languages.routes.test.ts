import { english } from '@clinic/contract/english';
import { text } from '@clinic/contract/texts';
import { toInstant } from '@clinic/domain';
import { addMessages } from '@clinic/texts';
import { readCatalogues } from '@clinic/texts/catalogues';
import { PSEUDO, addPseudoLocales, outsideBrackets } from '@clinic/texts/pseudo';
import { sql } from 'drizzle-orm';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKeyring } from '../src/security/keyring.ts';
import { PASSWORD, type TestApp, aPatient, ask, signIn, testApp } from '../testing/index.ts';
import { askDesk, deskClinic } from '../testing/desk.ts';
import { OLDER_KEYS, anOlderClinic } from '../testing/older-clinic.ts';

/** As a translator would have written them, whatever the file says today. */
beforeAll(() =>
  addMessages('fr', {
    'refusal.wrongCredentials': 'Adresse ou mot de passe inexact.',
    'refusal.notInTheList': 'Valeur inexacte.',
    'refusal.passwordChanged': 'Mot de passe changé.',
    'email.password': 'Changé le {when}.',
    'format.moment': '{day} à {time}',
  }),
);

const MONDAY = '2026-11-23';

let clinic: TestApp;
beforeEach(async () => {
  clinic = await testApp();
});
afterEach(() => clinic.close());

const french = { 'accept-language': 'de;q=0.9, fr-CA, en;q=0.5' };
let proofs = 0;
const login = async (headers: Record<string, string> = {}) => {
  const recaptcha = `ok:${++proofs}`;
  const body = { method: 'email', email: 'a@b.example', password: 'x', recaptcha } as const;
  return (await ask(clinic, 'login', { body, headers })).refusal().extras.message;
};

describe('The service answers in the language of the client (R-99)', () => {
  // Shows: R-99
  test('in the most wanted one that the clinic offers, and otherwise in English', async () => {
    const english = text('en', 'wrongCredentials');
    expect(await login(french)).toBe('Adresse ou mot de passe inexact.');
    expect(await login()).toBe(english);
    expect(await login({ 'accept-language': '*' })).toBe(english);
    expect(await login({ 'accept-language': 'fr;q=0, en' })).toBe(english);
    await clinic.close();
    clinic = await testApp({ config: { languages: ['en'] } });
    expect(await login(french)).toBe(english);
    // The front desk is read in every language.
    const refused = await askDesk(clinic, 'deskSession', { headers: french });
    expect(refused.refusal().extras.message).toBe('Veuillez vous connecter à l’accueil.');
  });

  // Shows: R-99
  test('with the names of appointment types on every page of the front desk', async () => {
    await clinic.close();
    const {
      clinic: itsOwn,
      casey,
      cookie,
    } = await deskClinic('manager', {
      patient: { eligibility: 'NE', healthCardUploaded: true, pictureIdUploaded: true },
    });
    clinic = itsOwn;
    const at = { cookie, headers: french };
    const book = async (time: string) => {
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const body = { type: 'O', providerId: '101', start: toInstant(MONDAY, time) };
      const params = { id: casey.id };
      return (await askDesk(clinic, 'deskBook', { cookie, params, headers, body })).answer().extras
        .id;
    };
    const fee = { params: { id: await book('11:00') }, body: { means: 'cash' } };
    (await askDesk(clinic, 'deskTakeFee', { cookie, ...fee })).answer();
    const gone = { params: { id: await book('11:30') }, body: { wantedBy: 'clinic' } };
    (await askDesk(clinic, 'deskCancelAppointment', { cookie, ...gone })).answer();
    const params = { id: casey.id };
    const range = { from: '2026-11-21', to: MONDAY };
    const time = { from: toInstant(MONDAY, '10:00'), to: toInstant(MONDAY, '12:00') };
    const closing = { providerIds: ['101'], ...time, page: 1 };
    const answers = await Promise.all([
      askDesk(clinic, 'deskDay', { ...at, params: { date: MONDAY } }),
      askDesk(clinic, 'deskPrintDay', { ...at, params: { date: MONDAY } }),
      askDesk(clinic, 'deskCancelled', { ...at, params: { date: MONDAY } }),
      askDesk(clinic, 'deskBookingOptions', { ...at, params }),
      askDesk(clinic, 'deskOpenPatient', { ...at, params, body: { lookReason: 'payment' } }),
      askDesk(clinic, 'deskReports', { ...at, query: range }),
      askDesk(clinic, 'deskMoney', { ...at, query: range }),
      askDesk(clinic, 'deskForeseenPatients', { ...at, body: closing }),
      askDesk(clinic, 'deskTable', { ...at, params: { what: 'fees' } }),
    ]);
    for (const answer of answers) {
      const said = JSON.stringify(answer.answer());
      expect(said).toContain('Consultation en personne');
      expect(said).not.toMatch(/In-person visit|Private visit/);
    }
  });
});

describe('The language of a patient (R-99)', () => {
  let token: string;
  const choose = (language: string) =>
    ask(clinic, 'confirmInformation', {
      token,
      headers: french,
      body: { shouldUpdate: true, language },
    });
  beforeEach(async () => {
    token = await signIn(clinic, await aPatient(clinic));
  });

  // Shows: R-99
  test('is one of those that the clinic offers', async () => {
    expect((await choose('fr')).answer().language).toBe('fr');
    expect((await choose('de')).refusal().errors).toEqual([
      { field: 'language', message: 'Valeur inexacte.' },
    ]);
    expect((await ask(clinic, 'getMe', { token })).answer().language).toBe('fr');
  });

  // Shows: R-99
  test('is the language of their emails, whatever the browser asks for', async () => {
    await choose('fr');
    const body = { currentPassword: PASSWORD, newPassword: 'another long sentence' };
    const { extras } = (await ask(clinic, 'changePassword', { token, body })).answer();
    expect(extras.message).toBe(text('en', 'passwordChanged'));
    const [email] = await clinic.mails();
    expect(email?.html).toContain('<html lang="fr" dir="ltr">');
    expect(email?.text).toMatch(/^Changé le \w+\. \d+ \S+ 20\d\d à \d\d:\d\d/);
  });
});

describe('Every email (R-99)', () => {
  /** The emails that wait in a clinic of before, and those that it lacks; what each of them says. */
  async function saidIn(locale: string): Promise<ReadonlyMap<string, string>> {
    const older = await anOlderClinic();
    await older.migrate();
    const { db } = older.database;
    await db.execute(sql`update patient set language = ${locale}`);
    await db.execute(sql`update pending_sign_up set language = ${locale}`);
    const waiting = await testApp({ database: older.database, keyring: createKeyring(OLDER_KEYS) });
    const { rows } = await db.execute<{ id: string }>(sql`select id from patient order by email`);
    const [{ id: patientId } = { id: '' }] = rows;
    const { outbox } = waiting.platform;
    const now = waiting.clock.now();
    await older.database.inTransaction(async (tx) => {
      for (const email of ['accountExists', 'resetCode'])
        await outbox.enqueue(tx, 'account-email', { email, patientId, at: now }, now);
    });
    await outbox.drain();
    const said = waiting.mail.sent.map(({ key, subject, text: words, html }) => {
      const page = html?.replace(/<style>.*<\/style>/s, '').replaceAll(/<[^>]+>/g, '\n') ?? '';
      return [key, [subject, words, page].join('\n')] as const;
    });
    await waiting.close();
    return new Map(said);
  }
  beforeAll(() => {
    readCatalogues(english);
    addPseudoLocales();
  });

  // Shows
  test('has every word in the language of who reads it', async () => {
    const inPseudo = await saidIn(PSEUDO);
    // Eleven waited in the clinic of before, of which eight tell all of it, and it lacks two.
    expect(inPseudo.size).toBe(10);
    const typed = /Test Clinic|\d+ Main Street[^\n]*|https?:\S+|\b[A-Z2-9]{8}\b/g;
    for (const [key, said] of inPseudo)
      expect([
        key,
        outsideBrackets(said)
          .replaceAll(typed, '')
          .match(/\p{L}+/gu),
      ]).toEqual([key, null]);

    const [french, inEnglish] = [await saidIn('fr'), await saidIn('en')];
    const sentences = (said = '') =>
      said.split('\n').filter((line) => /\p{L}+ \p{L}+ \p{L}+/u.test(line.replaceAll(typed, '')));
    for (const [key, said] of french) {
      const left = sentences(said).filter((line) => sentences(inEnglish.get(key)).includes(line));
      expect([key, left]).toEqual([key, []]);
    }
  });
});
