import type { ApiAnswers } from '@clinic/contract';
import { crashDate, formatAppointment, toClinic } from '@clinic/domain';

import type { PutOff } from '../../database/outbox.store.ts';
import type { Platform } from '../../platform.ts';
import type { ProviderId, RecordId } from '../records/emr.ts';
import { addToEmr } from '../records/index.ts';
import {
  type OverlappedAppointment,
  TICKLER_TO_EMR,
  type TicklerFacts,
  openedAnswers,
  overlappedAppointments,
  ticklerFacts,
} from '../appointments/index.ts';
import { emrHealth } from './health.ts';

// Tells the provider, or whom the clinic names for all, by a tickler in the EMR what staff would not see there;
// each at most once.

const SILENT_SECONDS = 60;
/** Between tries while no provider is named for a tickler, which seldom changes. */
const NOBODY_SECONDS = 3_600;

/** Writes the ticklers queued in the outbox. */
export function writeTicklers(platform: Platform): void {
  const { outbox, database, keyring, clock } = platform;
  const { db } = database;
  outbox.handle(TICKLER_TO_EMR, async ({ about, appointmentId, start }, _key, attempts) => {
    const add = (
      name: string,
      own: Pick<TicklerFacts, 'id' | 'recordId' | 'providerId'>,
      text: string,
    ) =>
      addTicklerOnce(platform, {
        key: `tickler:${name}`,
        subject: `appointment:${own.id}`,
        attempts,
        recordId: own.recordId,
        text,
        providerId: async () => own.providerId,
      });
    if (about === 'overlap') {
      const overlapped = await overlappedAppointments(db, clock.now());
      const own = overlapped.find((each) => each.id === appointmentId && each.start === start);
      return own && add(`overlap:${own.id}:${own.start}`, own, overlapText(own));
    }
    const facts = await ticklerFacts(db, String(appointmentId), clock.now());
    // Answers follow an appointment that has moved again; the news of its earlier move is dropped.
    if (facts === null || (about === 'moved' && facts.id !== appointmentId)) return;
    const { answersSealed } = facts;
    const answers = answersSealed && openedAnswers(keyring, facts.id, answersSealed);
    const text = about === 'moved' ? movedText(facts) : injuryClaimText(facts, answers);
    return add(`${String(about)}:${facts.id}`, facts, text);
  });
}

interface TicklerOnce {
  readonly key: string;
  readonly subject: string;
  readonly attempts: number;
  readonly recordId: string;
  readonly text: string;
  /** The provider to tell where the clinic names nobody for all; while it gives null, the tickler waits. */
  readonly providerId: () => Promise<string | null>;
}

/** Has the EMR write a tickler, from the outbox. */
export async function addTicklerOnce(
  platform: Platform,
  { key, subject, attempts, recordId, text, providerId }: TicklerOnce,
): Promise<PutOff | void> {
  const { emr, database, clock, config } = platform;
  if (emr === null) return;
  const now = clock.now();
  if ((await emrHealth(database.db, now)).kind !== 'answers')
    return { until: now + SILENT_SECONDS };
  const provider = config.ticklersTo ?? (await providerId());
  if (provider === null) return { until: now + NOBODY_SECONDS };
  return addToEmr(platform, { key, subject, attempts, mayGetRecord: true }, () =>
    emr.addTickler(key, {
      providerId: provider as ProviderId,
      recordId: recordId as RecordId,
      text,
      date: toClinic(now).date,
    }),
  );
}

const overlapText = ({ start, doctor }: OverlappedAppointment) =>
  `Another appointment overlaps the one that was booked online for ${formatAppointment(start)} with ${doctor}.`;

const movedText = ({ start, movedFrom, doctor }: TicklerFacts) =>
  `The patient moved this appointment online to ${formatAppointment(start)} with ${doctor}${
    movedFrom === null ? '' : `; it was ${formatAppointment(movedFrom)}`
  }.`;

/** Turns 'missingWork' into 'missing work'. */
const spoken = (key: string) => key.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);

function injuryClaimText({ start, doctor }: TicklerFacts, answers: ApiAnswers | null): string {
  const { reason = '', crashYear = null, crashMonth = null, crashDay = null } = answers ?? {};
  const treatments = (answers?.treatmentList ?? []).map((each) =>
    typeof each === 'string' ? spoken(each) : each.text,
  );
  const lines = [
    ['Claim number', reason],
    ['Date of crash', crashDate({ crashYear, crashMonth, crashDay }) ?? ''],
    ['To be seen', (answers?.contactPreference ?? '').toLowerCase()],
    ['Symptoms', answers?.symptom ?? ''],
    ['Experiencing', (answers?.experiencingList ?? []).map(spoken).join(', ')],
    ['Treatments', treatments.join(', ')],
    ['Medication', answers?.medicationTaken ?? ''],
  ];
  return [
    `ICBC claim, as the patient answered online for ${formatAppointment(start)} with ${doctor}.`,
    ...lines.map(([label, value]) => `${label}: ${value}`),
  ].join('\n');
}
