import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD, ask } from '../testing/index.ts';
import { everyCall } from './every-call.ts';
import { everyRow } from './rows-of.ts';
import { type TwoPatients, twoPatients } from './two-patients.ts';
import { validRequests } from './valid-requests.ts';

let clinic: TwoPatients;
beforeEach(async () => {
  clinic = await twoPatients();
});
afterEach(() => clinic.close());

const REASON = 'A rash in the shape of Saturn';
const DRAFT = 'A dream about lighthouses';

/** A text as it stands, and as bytes of it would be printed. */
const spellings = (text: string) => [
  text,
  Buffer.from(text).toString('hex'),
  Buffer.from(text).toString('base64').replace(/=+$/, ''),
];

describe('What a patient says to the clinic alone', () => {
  // Shows: S-13
  test('stands nowhere in the database as it was said (S-13)', async () => {
    const { asker, other } = clinic;
    const rows = [...(await everyRow(clinic)).values()].flat().join('\n');
    expect(rows).toContain(other.row.email);
    const sealed = [REASON, DRAFT, other.cardNumber, asker.cardNumber];
    const hashed = [other.token, asker.token, PASSWORD];
    for (const text of [...sealed, ...hashed])
      for (const spelling of spellings(text)) expect(rows).not.toContain(spelling);
  });

  // Shows: R-84, S-8
  test('is in no line of the log and in no email (S-8)', async () => {
    const { asker, log, mail, platform } = clinic;
    for (const { id } of everyCall) await ask(clinic, id, validRequests[id](clinic));
    await platform.outbox.drain();
    expect(log.lines.length).toBeGreaterThan(everyCall.length);
    expect(mail.sent.length).toBeGreaterThan(2);
    const health = [REASON, DRAFT, 'A cough', asker.cardNumber, clinic.other.cardNumber];
    const emails = JSON.stringify(mail.sent);
    for (const text of health) expect(emails).not.toContain(text);
    const lines = JSON.stringify([log.lines, log.failures]);
    const person = [asker.row.email, asker.row.lastName, asker.row.recordId, asker.row.id];
    for (const text of [...health, ...person, asker.token, PASSWORD])
      expect(lines).not.toContain(text);
  });
});
