import { LOOK_REASONS, UNSURE_CHARTS } from '@clinic/domain';
import { z } from 'zod';
import { call } from '../call.ts';
import { done, envelope, epochSeconds, foundPatient, id, seenVersion, uuid } from '../shapes.ts';

const accountParams = z.object({ id: uuid });

/** How the EMR has a chart. */
export const CHART_STATES = ['active', 'inactive', 'deceased'] as const;

/** A chart of the EMR, for staff who compare it with an account. */
const chart = z.object({
  /** Its number in the EMR. */
  chart: z.string(),
  name: z.string(),
  birthDate: z.string(),
  hasCard: z.boolean(),
  state: z.enum(CHART_STATES),
  /** Another open account has it. */
  isOfAnother: z.boolean().optional(),
  /** Of the card's number, the last characters alone. */
  card: z.object({ province: z.string(), number: z.string() }).nullish(),
  phones: z.array(z.string()).optional(),
  email: z.string().optional(),
  address: z.string().optional(),
  sex: z.string().optional(),
});

/** Which chart of the EMR is a patient's, and sign-ups that got no account. */
export const deskChartCalls = {
  deskOpenChart: call('deskOpenChart', {
    summary:
      'Who has a chart of the EMR here: a record is made for it where nobody has. Where somebody may be the same person, they are answered, and nothing is made until staff say who it is; on the trail. Refused for a chart that is not active.',
    section: 'S-18 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'natural',
    body: z.strictObject({
      chart: id,
      /** The account or record that was shown, and is said to be the same person. */
      same: id.optional(),
      /** Records that were shown as likely of the same person, and are said to be of somebody else. */
      apartFrom: z.array(id).max(200).optional(),
    }),
    answer: envelope({
      /** The id of the account, or of the record of a patient without one; null while `likely` is to be decided. */
      person: id.nullable(),
      likely: z.array(foundPatient.extend({ hasCard: z.boolean() })),
    }),
    refusals: [409, 503],
  }),
  deskLikelyCharts: call('deskLikelyCharts', {
    summary:
      'A patient beside the chart of the EMR that they have, and those that may be theirs: of one card number, of a like name and the same birth date, or with a number; on the trail. A look at somebody who does not wait and has no appointment within a day says its reason.',
    section: 'S-18, R-36 (ours)',
    shows: 'patients',
    limit: 'changes',
    idempotency: 'none',
    params: accountParams,
    body: z.strictObject({
      lookReason: z.enum(LOOK_REASONS).optional(),
      /** Another number of the EMR's. */ chart: id.optional(),
    }),
    answer: envelope({
      name: z.string(),
      birthDate: z.string(),
      hasCard: z.boolean(),
      charts: z.array(chart),
      /** The rest of the account, as of a chart. */
      account: chart
        .pick({ card: true, phones: true, email: true, address: true, sex: true })
        .required()
        .optional(),
      /** The chart that the account has; its number alone where the EMR has it no more. */
      present: z.object({ number: z.string(), chart: chart.nullable() }).nullish(),
      /** What they have booked ahead, which stands under the present chart. */
      ahead: z
        .array(
          z.object({
            id: z.uuid(),
            start: epochSeconds,
            description: z.string(),
            provider: z.string().nullable(),
          }),
        )
        .optional(),
      /** Why the account waits; null where it does not. */
      why: z.enum(UNSURE_CHARTS).nullish(),
      /** Sent along with the decision. */
      seen: seenVersion.optional(),
    }),
    refusals: [403, 503],
  }),
  deskDecideChart: call('deskDecideChart', {
    summary:
      'Say which chart of the EMR is a patient’s, or that none of those that were shown is: then they may have a new one. Who has a chart gets another from a manager alone, who says whether what is booked ahead goes along.',
    section: 'S-18, R-36 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: accountParams,
    body: z.strictObject({
      chart: id.nullable(),
      apartFrom: z.array(id).max(200),
      /** The `seen` of the charts that were shown; a decision about what has changed since is refused. */
      seen: seenVersion.optional(),
      /** For who has another chart: whether what is booked ahead goes along, or stays there. */
      appointments: z.enum(['move', 'stay']).optional(),
    }),
    answer: done.extend({
      extras: z
        .object({
          /** The chart that stands: another than the chosen one where that was merged. */
          chart: z.string().nullable(),
          moved: z.int().min(0),
        })
        .optional(),
    }),
    refusals: [403, 409, 503],
  }),
  deskSeeToSignUp: call('deskSeeToSignUp', {
    summary: 'Say that a sign-up that got no account has been seen to.',
    section: 'S-18, R-97 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    params: accountParams,
    body: z.strictObject({}),
    answer: done,
  }),
};
