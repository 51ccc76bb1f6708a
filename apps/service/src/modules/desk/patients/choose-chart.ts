import { deskCalls } from '@clinic/contract';
import { listedName, maskedCard } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform.ts';
import { DONE, success } from '../../../server/responses.ts';
import { route } from '../../../server/http.ts';
import { look, recordIds, showing } from '../../../server/audited-reads.ts';
import { Refusal, refuse } from '../../../server/refusal.ts';
import {
  type ComparedChart,
  chartsOfPatient,
  decideChart,
  lookAtCharts,
  openChart,
} from '../../patients/index.ts';
import { findPatient, noteSignUpSeen } from '../../accounts/index.ts';
import { unclearInEmr } from '../../records/index.ts';
import { refusedLook } from '../day/day-sheet.ts';
import { deciderOf } from './corrections.ts';
import { appointmentsOfRecord } from './patients.store.ts';

/** At the desk: which chart of the EMR is a patient's, and sign-ups that got no account. */
export function registerCharts(app: FastifyInstance, platform: Platform): void {
  const { database, realtime, appendAudit } = platform;

  route(app, deskCalls.deskOpenChart, async ({ body, who }) => {
    const { chart, same = null, apartFrom = [] } = body;
    const found = await openChart(platform, { chart, same, apartFrom }, who);
    if (found instanceof Refusal) return found;
    if ('likely' in found)
      return showing(
        { person: null, likely: found.likely },
        look('likely patients shown', 'patients:all', recordIds(found.likely)),
      );
    const { person, recordId } = found;
    return showing(
      { person, likely: [] },
      look('chart in the EMR chosen', `record:${recordId}`, [recordId]),
    );
  });

  route(app, deskCalls.deskLikelyCharts, async ({ params: { id }, body, staff, now, locale }) => {
    const { chart = null, lookReason } = body;
    const patient = await findPatient(database.db, id);
    if (patient === null) return refuse('notFound');
    const { recordId } = patient;
    // A patient who waits is in the list; a look at any other says its reason, as at their record.
    if ((await unclearInEmr(database.db, recordId)).waitsSince === null) {
      const refused = await refusedLook(database.db, { staff, lookReason, now, recordId });
      if (refused !== null) return refused;
    }
    const found = await chartsOfPatient(platform, id, chart, now);
    if (found instanceof Refusal) return found;
    const { own, present, presentNumber, likely, ahead } = found;
    const { cardNumber } = own;
    const listed =
      ahead.length === 0 ? [] : await appointmentsOfRecord(database.db, recordId, null, locale);
    const shown = lookAtCharts(found);
    return showing(
      {
        name: listedName(own),
        birthDate: own.birthDate,
        hasCard: cardNumber !== '',
        charts: likely.map(chartShown),
        account: {
          card: cardNumber === '' ? null : cardShown(own.cardProvince, cardNumber),
          phones: [own.mobilePhone, own.phone, own.internationalPhone].filter(Boolean),
          email: own.email,
          address: [own.address, own.city, own.province, own.postal].filter(Boolean).join(', '),
          sex: own.sex,
        },
        present:
          presentNumber === null
            ? null
            : { number: presentNumber, chart: present && chartShown(present) },
        ahead: listed.filter((each) => ahead.includes(each.id)).toReversed(),
        why: found.why,
        seen: found.seen,
      },
      { ...shown, details: { ...shown.details, lookReason } },
    );
  });

  route(app, deskCalls.deskDecideChart, async ({ params: { id }, body, staff, now, who }) => {
    const { chart: chosen, ...decision } = body;
    const by = deciderOf(staff, now);
    const decided = await decideChart(platform, id, { ...decision, chosen, by }, who);
    if (decided instanceof Refusal) return decided;
    realtime.sayToDesk();
    const { chart, moved } = decided;
    return success({ chart: chart?.id ?? null, moved });
  });

  route(app, deskCalls.deskSeeToSignUp, async ({ params: { id }, now, who: { actor } }) => {
    await database.inTransaction(async (tx) => {
      if (!(await noteSignUpSeen(tx, id, now))) return;
      const entry = { action: 'sign-up seen to', subject: `patient:${id}`, at: now };
      await appendAudit(tx, { ...entry, actor });
    });
    realtime.sayToDesk();
    return DONE;
  });
}

const cardShown = (province: string, number: string) => ({ province, number: maskedCard(number) });

const chartShown = (each: ComparedChart) => ({
  ...each,
  chart: each.id,
  name: listedName(each),
  isOfAnother: each.recordOfAnother !== null,
  card: each.card && cardShown(each.card.province, each.card.number),
});
