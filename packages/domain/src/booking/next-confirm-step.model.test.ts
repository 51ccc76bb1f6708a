import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { confirmFacts } from '../testing/index.ts';
import { APPOINTMENT_FORMS } from './appointment-type.ts';
import { nextConfirmStep } from './questions.ts';
import type { ConfirmFacts, ConfirmStep } from './questions.ts';

/** Where the sequence ends: nothing is asked any more. */
const ENDS: readonly ConfirmStep[] = ['book', 'pay', 'refuseOverLimit'];

const uploaded = (healthCard: boolean, pictureId: boolean) => ({
  uploads: { healthCard, pictureId },
});

/** All that the patient or the clinic can answer at a step, as the facts that change. */
const ANSWERS: Record<ConfirmStep, readonly Partial<ConfirmFacts>[]> = {
  showProblems: [{ answersValid: true }],
  warnOfFee: [{ feeAccepted: true }],
  checkUploads: [
    { uploads: 'failed' },
    uploaded(false, false),
    uploaded(true, false),
    uploaded(false, true),
    uploaded(true, true),
  ],
  uploadHealthCard: [],
  uploadPictureId: [uploaded(true, true)],
  confirmIcbc: [{ icbcConfirmed: true }],
  choosePharmacy: [{ pharmacyAnswered: true }],
  checkDemographics: [{ demographics: 'found' }, { demographics: 'noEntry' }],
  askFamilyDoctor: [{ demographics: 'created' }],
  showNotice: [{ noticeUnderstood: true }],
  agreeToDetails: [{ detailsAgreed: true }],
  checkLimits: [{ limits: 'kept' }, { limits: 'broken' }],
  refuseOverLimit: [],
  fetchState: [0, 1000, 13_999, 14_000].map((cents) => ({ stateChargeCents: cents })),
  fillImmigrationForm: [{ immigrationFormDone: true }],
  book: [],
  pay: [],
};

function answersAt(facts: ConfirmFacts): readonly Partial<ConfirmFacts>[] {
  const step = nextConfirmStep(facts);
  if (step !== 'uploadHealthCard') return ANSWERS[step];
  const had = facts.uploads !== null && facts.uploads !== 'failed' && facts.uploads.pictureId;
  return [uploaded(true, had)];
}

/** What is known when Next is pressed, for every kind of appointment. */
const atNext = fc
  .record({
    form: fc.constantFrom(...APPOINTMENT_FORMS),
    isReschedule: fc.boolean(),
    answersValid: fc.boolean(),
    chargeCents: fc.constantFrom(0, 1000, 13_999, 14_000, 25_000),
    feeAccepted: fc.boolean(),
    documentsNeeded: fc.boolean(),
    pharmacyPrompt: fc.boolean(),
    noticeNeeded: fc.boolean(),
  })
  .map((known) =>
    confirmFacts({
      ...known,
      uploads: null,
      icbcConfirmed: false,
      demographics: null,
      detailsAgreed: false,
      limits: null,
      stateChargeCents: null,
    }),
  );

// Shows: R-39
test('every state that can be reached has a way out, whatever is answered on the way', () => {
  fc.assert(
    fc.property(atNext, (first) => {
      const ways = new Map<string, readonly ConfirmFacts[]>();
      const waiting = [first];
      for (let now = waiting.pop(); now; now = waiting.pop()) {
        const key = JSON.stringify(now);
        if (ways.has(key)) continue;
        const facts = now;
        const nexts = answersAt(facts).map((answer) => ({ ...facts, ...answer }));
        // An answer that leaves the question standing would be a wall.
        for (const next of nexts) expect(nextConfirmStep(next)).not.toBe(nextConfirmStep(facts));
        expect(nexts.length > 0 || ENDS.includes(nextConfirmStep(facts))).toBe(true);
        ways.set(key, nexts);
        waiting.push(...nexts);
      }
      const ends = (facts: ConfirmFacts): boolean =>
        ENDS.includes(nextConfirmStep(facts)) || (ways.get(JSON.stringify(facts)) ?? []).some(ends);
      expect([...ways.values()].flat().every(ends)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('on any walk nothing is asked twice, and an exam never gets past its form', () => {
  fc.assert(
    fc.property(atNext, fc.array(fc.nat(), { minLength: 20, maxLength: 20 }), (first, dice) => {
      const steps: ConfirmStep[] = [];
      let now = first;
      for (const die of dice) {
        steps.push(nextConfirmStep(now));
        const answers = answersAt(now);
        if (answers.length === 0) break;
        now = { ...now, ...answers[die % answers.length] };
      }
      expect(new Set(steps).size).toBe(steps.length);
      const end = steps.at(-1);
      expect(ENDS).toContain(end);
      if (now.isReschedule) {
        expect(end).toBe('book');
        return;
      }
      const isExam = now.form === 'immigration';
      if (end !== 'refuseOverLimit') {
        expect(steps.includes('fillImmigrationForm')).toBe(isExam);
        expect(end).toBe((now.stateChargeCents ?? 0) > 0 ? 'pay' : 'book');
      }
    }),
    { numRuns: 1000 },
  );
});
