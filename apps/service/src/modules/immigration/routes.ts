import { calls } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import {
  EARLIEST_ISSUE,
  MEDICAL_PROFILE_FIELDS,
  type MedicalProfile,
  type MedicalProfileRefusal,
  tidyMedicalProfile,
  toClinic,
  whyMedicalProfileRefused,
} from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import { lockWord } from '../../database/shared-names.store.ts';
import type { Platform } from '../../platform.ts';
import { ofPatient } from '../../security/audit.store.ts';
import { success } from '../../server/responses.ts';
import { route } from '../../server/http.ts';
import { type LocalizedText, Refusal, localized, refuse } from '../../server/refusal.ts';
import { overStored, versionOfForm } from '../../server/version.ts';
import { keepProfile, readProfile } from './store.ts';

/** The profile for an immigration exam, which the patient is asked for at every such booking. */
export function registerMedicalProfile(
  app: FastifyInstance,
  { database, keyring, appendAudit }: Platform,
): void {
  route(app, calls.saveMedicalProfile, async ({ body, headers, patient, locale, now }) => {
    const profile = await database.inTransaction(async (tx) => {
      // Of two saves at once the second finds what the first has saved.
      await lockWord(`medical profile of ${patient.id}`, tx);
      const stored = await readProfile(keyring, tx, patient.id);
      const sent = tidyMedicalProfile(body.eMedProfile);
      const over = overStored(headers, { ...stored }, { ...sent });
      if (over instanceof Refusal) return over;
      const merged = { ...sent, ...stored, ...over };
      const { phone = null } = stored ?? {};
      const errors = whyMedicalProfileRefused(merged, toClinic(now).date, phone).map((refusal) => ({
        field: `eMedProfile.${refusal.field}`,
        message: wordsOf(refusal),
      }));
      if (errors.length > 0) return refuse('invalidInput', { errors });
      await keepProfile(keyring, tx, { patientId: patient.id, profile: merged, changedAt: now });
      await appendAudit(tx, ofPatient(patient.id, 'medical profile kept', now));
      return merged;
    });
    return profile instanceof Refusal ? profile : kept(profile, locale);
  });

  route(app, calls.readMedicalProfile, async ({ patient, locale }) =>
    kept(await readProfile(keyring, database.db, patient.id), locale),
  );
}

/** What a first form is made of. */
const NOTHING = Object.fromEntries(MEDICAL_PROFILE_FIELDS.map((field) => [field, null]));

const kept = (profile: MedicalProfile | null, locale: Locale) =>
  success({
    message: profile === null ? '' : text(locale, 'medicalProfileKept'),
    profile,
    formVersion: versionOfForm(profile ? { ...profile } : NOTHING),
  });

const WORDS = {
  empty: 'profileFieldEmpty',
  noNumber: 'phoneNoNumber',
  tooEarly: 'passportIssueOutOfRange',
  inFuture: 'passportIssueOutOfRange',
  notBeforeExpiry: 'passportIssueNotBefore',
  expired: 'passportExpired',
  tooLate: 'passportExpiryTooLate',
} as const;

function wordsOf({ field, code }: MedicalProfileRefusal): LocalizedText {
  if (code !== 'invalid') return localized(WORDS[code], { from: EARLIEST_ISSUE });
  if (field === 'passportNumber') return localized('passportNumberInvalid');
  if (field === 'phone') return localized('phoneNotDigits');
  return localized(field.startsWith('d') ? 'dateNotValid' : 'notInTheList');
}
