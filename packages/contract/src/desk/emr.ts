import { z } from 'zod';
import { call } from '../call.ts';
import { envelope, epochSeconds, id } from '../shapes.ts';

/** What lets the service into the EMR. */
const emrKey = z.enum(['login', 'token']);

const emr = z.object({
  /** `refused`: it answers, and does not let the service do what it has to. */
  kind: z.enum(['answers', 'silent', 'refused']),
  /** Since when it is silent or refuses. */
  since: epochSeconds,
  /** As of when what is shown is what the EMR has. */
  asOf: epochSeconds,
  isBookingPaused: z.boolean(),
  /** The keys that it refuses; none where it refuses what is asked with them. */
  refused: z.array(emrKey),
  /** The keys that end soon. */
  ending: z.array(z.object({ key: emrKey, endsAt: epochSeconds })),
  /** How many booked appointments stand where the EMR's schedule has closed since. */
  outside: z.int().min(0),
  /** How many appointments do not stand there as here; left out by a version that does not look for them. */
  differs: z.int().min(0).optional(),
});

const span = z.object({ start: epochSeconds, end: epochSeconds });

const outsideEmr = z.object({
  appointmentId: z.uuid(),
  patient: z.string(),
  /** Null for a patient without an account. */
  phone: z.string().nullable(),
  providerId: id,
  provider: z.string(),
  description: z.string(),
  date: z.string(),
  start: epochSeconds,
  end: epochSeconds,
});

/**
 * An appointment that does not stand in the EMR as here. `overlapped`: something else lies over it, and `other`
 * says when that is. `lacking`: no row there has its key, as somebody deleted the row or took the key out.
 */
const differing = outsideEmr.extend({
  why: z.enum(['overlapped', 'lacking']),
  other: span.nullable(),
});

export type ApiDiffering = z.infer<typeof differing>;
export type ApiEmr = z.infer<typeof emr>;
export type ApiOutsideEmr = z.infer<typeof outsideEmr>;

/** How the EMR stands to the service, and its schedule where that has changed. */
export const deskEmrCalls = {
  deskEmr: call('deskEmr', {
    summary: 'How the EMR stands to the service; null where the clinic has none.',
    section: 'R-94 (ours)',
    shows: 'noPatient',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope({ emr: emr.nullable() }),
  }),
  deskReadEmr: call('deskReadEmr', {
    summary:
      'Read the EMR’s schedule of the next two weeks at once. What was read within a minute is not read again.',
    section: 'R-94 (ours)',
    shows: 'noPatient',
    limit: 'changes',
    idempotency: 'natural',
    body: z.strictObject({}),
    /** How many days of single providers will be read. */
    answer: envelope({ days: z.int().min(0) }),
  }),
  deskOutsideEmr: call('deskOutsideEmr', {
    summary:
      'Whose booked appointments stand where the EMR’s schedule has closed since, to be called, and which do not stand there as here; on the trail.',
    section: 'R-93, R-94 (ours)',
    shows: 'patients',
    limit: 'reads',
    idempotency: 'natural',
    answer: envelope({
      outside: z.array(outsideEmr),
      /** Left out by a version that does not look for them. */
      differs: z.array(differing).optional(),
    }),
  }),
};
