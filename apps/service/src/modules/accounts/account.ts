import { type ApiUser, calls } from '@clinic/contract';
import { profileText } from '@clinic/contract/identity-texts';
import { text } from '@clinic/contract/texts';
import { toClinic, whyProfileRefused } from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { ofPatient } from '../../security/audit.store.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import { DONE, success } from '../../server/responses.ts';
import { route } from '../../server/http.ts';
import { whyPhoneRefused } from '../../server/phones.ts';
import { Refusal, invalid, localized, refuse } from '../../server/refusal.ts';
import { overtaken } from '../../server/version.ts';
import { acceptFiles, refusedDocuments, storeFile } from '../documents/index.ts';
import { findPharmacy } from '../pharmacies/index.ts';
import { typesFor } from '../schedule/index.ts';
import { standingOfAddress } from './address/address-change.store.ts';
import { agreedText, agreementsWait, insertAgreement } from './agreements.store.ts';
import {
  apiNameOf,
  apiUser,
  changedIn,
  ignoredOf,
  keysOf,
  overProfile,
  profileColumns,
  profileForm,
  saveProfile,
} from './profile.ts';
import { ownDetails } from './open-patient.ts';
import { readFamilyDoctor } from './family-doctor.ts';
import { lockAccount, patientOf, preferPharmacy, updatePatient } from './store.ts';

/** Outbox kind of the news that a document waits for staff, which the EMR tells a provider. */
export const UPLOAD_TO_EMR = 'upload-to-emr';

/** My Account: the profile and its documents; and what the patient agrees to. */
export function registerAccount(app: FastifyInstance, platform: Platform): void {
  const { database, config, appendAudit, ids, outbox } = platform;
  const { rates } = config;

  async function userOf(id: PatientId, now: number): Promise<ApiUser> {
    const own = await ownDetails(platform, id);
    const standing = await standingOfAddress(database.db, id, now);
    const types = await typesFor(database.db, own.eligibility, toClinic(now).date);
    return apiUser(own, types, config, standing);
  }

  route(app, calls.getMe, async ({ patient, exchangedToken, now }) => {
    const user = await userOf(patient.id, now);
    return exchangedToken === null ? user : { ...user, token: exchangedToken };
  });

  route(app, calls.updateMe, async ({ body, headers, patient, now }) => {
    const sent = profileForm(body);
    const familyDoctor = readFamilyDoctor(body, config.familyDoctorIds);
    const refused = await database.inTransaction(async (tx) => {
      await lockAccount(tx, patient.id);
      const row = await patientOf(tx, patient.id);
      const over = overProfile(headers, row, profileColumns(row, sent, body, familyDoctor ?? null));
      if (over instanceof Refusal) return over;
      const unchanged = keysOf(sent).filter((key) => !(key in over));
      const isChange = changedIn(over, row).length > 0;
      if (isChange && (await standingOfAddress(tx, patient.id, now)).isWatched)
        return refuse('accountWatched');
      const form = { ...sent, ...Object.fromEntries(unchanged.map((key) => [key, row[key]])) };
      const errors = whyProfileRefused(form, row, whyPhoneRefused).map((problem) => ({
        field: apiNameOf(problem.field),
        message: (locale: Locale) => profileText(locale, problem),
      }));
      if (familyDoctor === undefined)
        errors.push({ field: 'familyDoc', message: localized('familyDoctorUnclear') });
      if (errors.length > 0) return refuse('invalidInput', { errors });
      const pharmacy = over.preferredPharmacyId ?? null;
      const isNewPharmacy = pharmacy !== row.preferredPharmacyId;
      if (pharmacy !== null && isNewPharmacy && !(await findPharmacy(tx, pharmacy)))
        return invalid('preferredPharmacy', 'notInTheList');
      const change = {
        ...over,
        shouldUpdate: false,
        ...(isChange && { isChanged: true }),
      };
      await saveProfile(platform, tx, row, change, { ignored: ignoredOf(row, body), now });
      return null;
    });
    return refused ?? userOf(patient.id, now);
  });

  route(app, calls.confirmInformation, async ({ body, headers, patient, now }) => {
    const familyDoctor = readFamilyDoctor(body, config.familyDoctorIds);
    if (familyDoctor === undefined) return invalid('familyDoc', 'familyDoctorUnclear');
    const { language } = body;
    if (language && !config.languages.includes(language))
      return invalid('language', 'notInTheList');
    const refused = await database.inTransaction(async (tx) => {
      await lockAccount(tx, patient.id);
      const row = await patientOf(tx, patient.id);
      const sent = familyDoctor === null ? {} : { familyDoc: familyDoctor };
      const overtakenBy = overtaken(headers, { familyDoc: row.familyDoctor }, sent);
      if (overtakenBy !== null) return overtakenBy;
      const change = {
        // Only the clinic asks for an update: the patient's answer can only clear the flag.
        ...(body.shouldUpdate ? {} : { shouldUpdate: false }),
        ...(familyDoctor === null ? {} : { familyDoctor }),
        ...(language ? { language } : {}),
      };
      await saveProfile(platform, tx, row, change, { ignored: [], now });
      return null;
    });
    return refused ?? userOf(patient.id, now);
  });

  route(app, calls.addPreferredPharmacy, async ({ body, headers, patient, locale, now }) => {
    const id = typeof body.pharmacy === 'string' ? body.pharmacy : body.pharmacy.id;
    const payload = await findPharmacy(database.db, id);
    if (payload === null) return refuse('notFound');
    return database.inTransaction(async (tx) => {
      await lockAccount(tx, patient.id);
      const row = await patientOf(tx, patient.id);
      const stored = { preferredPharmacy: row.preferredPharmacyId };
      const refused = overtaken(headers, stored, { preferredPharmacy: payload.id });
      if (refused !== null) return refused;
      if (!(await preferPharmacy(tx, patient.id, body.demographicNo, payload.id)))
        return refuse('notFound');
      await appendAudit(tx, {
        actor: `patient:${patient.id}`,
        action: 'preferred pharmacy chosen',
        subject: `pharmacy:${payload.id}`,
        at: now,
      });
      return success({ message: text(locale, 'pharmacyChosen'), payload });
    });
  });

  route(app, calls.checkNoPcp, async ({ patient }) => {
    const { familyDoctor } = await patientOf(database.db, patient.id);
    return { success: true as const, noPCP: !familyDoctor };
  });

  // The health card and the picture ID that some appointments ask for.
  route(app, calls.shouldUploadDocument, async ({ patient }) => {
    const { healthCardUploaded, pictureIdUploaded } = await patientOf(database.db, patient.id);
    const found = await refusedDocuments(platform, database.db, patient.id);
    // A refusal is over once a document of its kind was sent again.
    const isSent = { healthCard: healthCardUploaded, pictureId: pictureIdUploaded };
    const refused = found.filter(({ document }) => !isSent[document]);
    return {
      success: true as const,
      healthcardUploaded: healthCardUploaded,
      pictureIdUploaded,
      refused: refused.map(({ document, reason, at }) => ({ document, reason, at })),
    };
  });

  route(app, calls.uploadDocuments, async ({ patient, body, files, countUses, locale, now }) => {
    if (files.length === 0) return refuse('noFileChosen');
    const upload = await countUses([[rates.uploads, patient.id]]);
    if (upload instanceof Refusal) return upload;
    const accepted = await acceptFiles(files, 'imagesAndPdf');
    if (accepted instanceof Refusal) return accepted;
    const isHealthCard = body.isHealthCard === 'true';
    const purpose = isHealthCard ? 'healthCard' : 'pictureId';
    const uploaded = isHealthCard ? { healthCardUploaded: true } : { pictureIdUploaded: true };
    await database.inTransaction(async (tx) => {
      database.afterCommit(upload.begun);
      const stored: string[] = [];
      for (const file of accepted)
        stored.push(
          await storeFile(platform, tx, { ...file, patientId: patient.id, purpose, now }),
        );
      const [documentId] = stored;
      // The files of a form are one document, such as the two sides of a card.
      if (documentId !== undefined && platform.emr !== null)
        await outbox.enqueue(tx, UPLOAD_TO_EMR, { documentId }, now);
      await updatePatient(tx, patient.id, uploaded);
    });
    return { success: true as const, message: text(locale, 'documentsUploaded') };
  });

  // A patient who agreed to an outdated text is asked to read the current one.
  route(app, calls.saveAgreement, async ({ body, patient, locale, now }) => {
    const { kind } = body;
    const agreed = await agreedText(database.db, kind, locale, body.version);
    const { version, textHash } = agreed;
    if (body.version !== version || body.hash !== textHash) return refuse('agreementOutdated');
    return database.inTransaction(async (tx) => {
      const { id: patientId } = patient;
      const retryAfter = await agreementsWait(tx, patientId, rates.agreements, now);
      if (retryAfter > 0) return refuse('tooManyRequests', { retryAfter });
      const id = ids.uuid();
      await insertAgreement(tx, { id, patientId, kind, ...agreed, at: now });
      const entry = ofPatient(patientId, 'agreement saved', now, { kind, version });
      await appendAudit(tx, { ...entry, subject: `agreement:${id}` });
      return DONE;
    });
  });
}
