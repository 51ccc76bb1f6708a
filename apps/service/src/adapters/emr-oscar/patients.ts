import {
  type DemographicNo,
  type Oscar,
  OscarInvalid,
  OscarOutcomeUnknown,
  type Patient,
  demographicNo,
  providerNo,
} from '@clinic/oscar';

import {
  type Emr,
  EmrOffline,
  EmrOutcomeUnknown,
  type NewPatientRecord,
  type PatientRecord,
  type RecordId,
} from '../../modules/records/emr.ts';
import type { AskOscar } from './asking.ts';

/** Which OSCAR record we opened under which number of ours; the service stores this. */
export interface OpenedRecords {
  /** `emrId` is null while it is not known whether OSCAR wrote the record. */
  find(
    recordId: string,
  ): Promise<{ readonly emrId: string | null; readonly askedAt: number } | null>;
  /** Our number of a record of OSCAR, or null. */
  named(emrId: string): Promise<string | null>;
  /** Call before asking OSCAR to open the record; false when OSCAR was asked after `since` or wrote it. */
  ask(recordId: string, now: number, since: number): Promise<boolean>;
  keep(recordId: string, emrId: string): Promise<void>;
  /** Call when OSCAR wrote nothing. */
  forget(recordId: string): Promise<void>;
}

/** How long a request waits for the one before it. */
export const WAITS_MS = 4_000;
/** How long a write whose answer was lost may still reach OSCAR. */
const LATE_SECONDS = 600;

export interface PatientPorts {
  readonly ask: AskOscar;
  readonly opened: OpenedRecords;
  readonly now: () => number;
  /** The clinic's service programme, to which OSCAR admits a new patient. */
  readonly programId: number;
}

/** A record has OSCAR's number as its id; one that we opened has ours, which OSCAR does not know. */
export function patientsOf({ ask, opened, now, programId }: PatientPorts) {
  async function numberOf(id: RecordId): Promise<DemographicNo | null> {
    const number = /^[1-9]\d{0,9}$/.test(id) ? id : ((await opened.find(id))?.emrId ?? null);
    return number === null ? null : demographicNo(number);
  }

  async function recordOf(patient: Patient): Promise<PatientRecord> {
    const { no, firstName, lastName, birthDate } = patient;
    const id = ((await opened.named(no)) ?? no) as RecordId;
    return { id, firstName, lastName, birthDate: birthDate ?? '' };
  }

  /** Patients who may be the same person: by the card, else by birth date and family name. */
  async function candidates(oscar: Oscar, record: NewPatientRecord): Promise<readonly Patient[]> {
    const { cardNumber: number, cardProvince: province, birthDate, lastName } = record;
    if (isCard(number)) return oscar.urgent.findByCard({ province, number });
    const born = await oscar.urgent.findByBirthDate(birthDate);
    return born.filter((each) => folded(each.lastName) === folded(lastName));
  }

  /** A match without a card is the record only if OSCAR was asked to open it: it had no match before. */
  async function open(
    oscar: Oscar,
    record: NewPatientRecord,
  ): Promise<'created' | 'alreadyThere' | 'unclear'> {
    const found = await candidates(oscar, record);
    const [one, another] = found;
    const asked = await opened.find(record.id);
    if (
      one &&
      !another &&
      !isDeceased(one) &&
      isSame(one, record) &&
      (isCard(record.cardNumber) || asked)
    ) {
      await opened.ask(record.id, now(), now());
      await opened.keep(record.id, one.no);
      return 'alreadyThere';
    }
    if (one) return 'unclear';
    if (!(await opened.ask(record.id, now(), now() - LATE_SECONDS)))
      throw new EmrOutcomeUnknown(`record:${record.id}`);
    try {
      await opened.keep(record.id, await oscar.urgent.createPatient(draftOf(record, programId)));
      return 'created';
    } catch (error) {
      if (!(error instanceof OscarOutcomeUnknown)) await opened.forget(record.id);
      // OSCAR would cut the name.
      if (error instanceof OscarInvalid) return 'unclear';
      throw error;
    }
  }

  return {
    numberOf,

    findPatient: (by) =>
      ask(async (oscar) => {
        if ('id' in by) {
          const no = await numberOf(by.id);
          const patient = no && (await oscar.urgent.patient(no));
          return patient
            ? { kind: 'one', record: { ...(await recordOf(patient)), id: by.id } }
            : { kind: 'none' };
        }
        if (!isCard(by.cardNumber)) return { kind: 'none' };
        const card = { province: by.cardProvince, number: by.cardNumber };
        const found = (await oscar.urgent.findByCard(card)).filter(
          ({ birthDate }) => birthDate === by.birthDate,
        );
        const [one, another] = found;
        if (!one) return { kind: 'none' };
        return another || isDeceased(one)
          ? { kind: 'many' }
          : { kind: 'one', record: await recordOf(one) };
      }),

    createPatient: oneAtATime(
      ({ id }) => id,
      WAITS_MS,
      (record) =>
        ask(
          async (oscar) => ((await numberOf(record.id)) ? 'alreadyThere' : open(oscar, record)),
          `record:${record.id}`,
        ),
    ),

    responsibleProvider: (id) =>
      ask(async (oscar) => {
        const no = await numberOf(id);
        const patient = no && (await oscar.urgent.patient(no));
        return patient ? patient.providerNo : null;
      }),
  } satisfies Partial<Emr> & { numberOf: unknown };
}

const isCard = (number: string) => /^[0-9A-Za-z]{4,12}$/.test(number);

const folded = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase();

/** When the record of a living patient is marked as deceased, staff must look. */
const isDeceased = ({ patientStatus }: Patient) => patientStatus === 'DE';

const isSame = (patient: Patient, record: NewPatientRecord) =>
  patient.birthDate === record.birthDate && folded(patient.lastName) === folded(record.lastName);

const draftOf = (record: NewPatientRecord, admissionProgramId: number) => ({
  firstName: record.firstName,
  lastName: record.lastName,
  birthDate: record.birthDate,
  sex: 'U' as const,
  // OSCAR's code for a card from outside Canada is OT.
  card: {
    province: record.cardProvince === 'Other' ? 'OT' : record.cardProvince,
    number: record.cardNumber,
  },
  providerNo: providerNo(record.providerId),
  admissionProgramId,
});

/**
 * Runs calls of the same name one after another. A call that waits longer than `waitsMs` for its turn does
 * nothing and rejects with EmrOffline, while its caller still listens.
 */
export function oneAtATime<Asked, Answer>(
  nameOf: (asked: Asked) => string,
  waitsMs: number,
  work: (asked: Asked) => Promise<Answer>,
): (asked: Asked) => Promise<Answer> {
  const under = new Map<string, Promise<unknown>>();
  return (asked) => {
    const name = nameOf(asked);
    const before = under.get(name) ?? Promise.resolve();
    const answer = Promise.withResolvers<Answer>();
    let isTooLate = false;
    const timer = setTimeout(() => {
      isTooLate = true;
      answer.reject(new EmrOffline('Too many wait for OSCAR to answer of the same'));
    }, waitsMs);
    const turn = before
      .then(() => {
        clearTimeout(timer);
        return isTooLate ? undefined : work(asked).then(answer.resolve, answer.reject);
      })
      .finally(() => {
        if (under.get(name) === turn) under.delete(name);
      });
    under.set(name, turn);
    return answer.promise;
  };
}
