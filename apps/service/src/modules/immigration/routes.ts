import { calls } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import {
  EARLIEST_ISSUE,
  type MedicalProfile,
  type MedicalProfileRefusal,
  tidyMedicalProfile,
  toClinic,
  whyMedicalProfileRefused,
} from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { ofPatient } from '../../security/audit.store.ts';
import { route } from '../../server/http.ts';
import { type Said, refuse, said } from '../../server/refusal.ts';
import { keepProfile, readProfile } from './store.ts';

/** The profile for an immigration exam, which the patient is asked for at every such booking. */
export function registerMedicalProfile(
  app: FastifyInstance,
  { database, keyring, appendAudit }: Platform,
): void {
  route(app, calls.saveMedicalProfile, async ({ body, patient, locale, now }) => {
    const refusals = whyMedicalProfileRefused(body.eMedProfile, toClinic(now).date);
    const errors = refusals.map((refusal) => ({
      field: `eMedProfile.${refusal.field}`,
      message: wordsOf(refusal),
    }));
    if (errors.length > 0) return refuse('invalidInput', { errors });
    const profile = tidyMedicalProfile(body.eMedProfile);
    await database.inTransaction(async (tx) => {
      await keepProfile(keyring, tx, { patientId: patient.id, profile, changedAt: now });
      await appendAudit(tx, ofPatient(patient.id, 'medical profile kept', now));
    });
    return kept(profile, locale);
  });

  route(app, calls.readMedicalProfile, async ({ patient, locale }) =>
    kept(await readProfile(keyring, database.db, patient.id), locale),
  );
}

const kept = (profile: MedicalProfile | null, locale: Locale) => ({
  success: true as const,
  extras: { message: profile === null ? '' : text(locale, 'medicalProfileKept'), profile },
});

const WORDS = {
  empty: 'profileFieldEmpty',
  tooEarly: 'passportIssueOutOfRange',
  inFuture: 'passportIssueOutOfRange',
  notBeforeExpiry: 'passportIssueNotBefore',
  expired: 'passportExpired',
  tooLate: 'passportExpiryTooLate',
} as const;

function wordsOf({ field, code }: MedicalProfileRefusal): Said {
  if (code !== 'invalid') return said(WORDS[code], { from: EARLIEST_ISSUE });
  if (field === 'passportNumber') return said('passportNumberInvalid');
  return said(field === 'phone' ? 'phoneNotDigits' : 'invalidField');
}
