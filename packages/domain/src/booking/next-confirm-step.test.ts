import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { specifiedType, confirmFacts } from '../testing/index.ts';
import { APPOINTMENT_FORMS } from './appointment-type.ts';
import { agreementsOfBooking, nextConfirmStep } from './questions.ts';
import type { ConfirmFacts, ConfirmStep } from './questions.ts';

/** Nothing asked yet, everything that can be asked is due. */
const everythingDue = (over: Partial<ConfirmFacts> = {}) =>
  confirmFacts({
    answersValid: false,
    chargeCents: 14_000,
    documentsNeeded: true,
    icbcConfirmed: false,
    pharmacyPrompt: true,
    demographics: null,
    noticeNeeded: true,
    detailsAgreed: false,
    limits: null,
    stateChargeCents: null,
    ...over,
  });

/** What the patient or the server does at a step, as the facts that change. */
const DONE: Record<ConfirmStep, Partial<ConfirmFacts>> = {
  showProblems: { answersValid: true },
  warnOfFee: { feeAccepted: true },
  checkUploads: { uploads: { healthCard: false, pictureId: false } },
  uploadHealthCard: { uploads: { healthCard: true, pictureId: false } },
  uploadPictureId: { uploads: { healthCard: true, pictureId: true } },
  confirmIcbc: { icbcConfirmed: true },
  choosePharmacy: { pharmacyAnswered: true },
  checkDemographics: { demographics: 'noEntry' },
  askFamilyDoctor: { demographics: 'created' },
  showNotice: { noticeUnderstood: true },
  agreeToDetails: { detailsAgreed: true },
  checkLimits: { limits: 'kept' },
  refuseOverLimit: {},
  fetchState: { stateChargeCents: 14_000 },
  fillImmigrationForm: { immigrationFormDone: true },
  book: {},
  pay: {},
};

function walk(from: ConfirmFacts): ConfirmStep[] {
  const steps: ConfirmStep[] = [];
  let facts = from;
  while (steps.length < Object.keys(DONE).length) {
    const step = nextConfirmStep(facts);
    steps.push(step);
    if (Object.keys(DONE[step]).length === 0) return steps;
    facts = { ...facts, ...DONE[step] };
  }
  throw new Error(`The walk goes in circles: ${steps.join(', ')}`);
}

describe('the order after Next (§4 Next on confirm, R-39)', () => {
  // Shows: 4.confirm-next.3, R-39
  test('an appointment of type I with everything due', () => {
    expect(walk(everythingDue({ form: 'injuryClaim' }))).toEqual([
      'showProblems',
      'warnOfFee',
      'checkUploads',
      'uploadHealthCard',
      'uploadPictureId',
      'confirmIcbc',
      'choosePharmacy',
      'checkDemographics',
      'askFamilyDoctor',
      'showNotice',
      'agreeToDetails',
      'checkLimits',
      'fetchState',
      'pay',
    ]);
  });

  // Shows
  test.each(
    APPOINTMENT_FORMS.flatMap((form) => [13_999, 14_000].map((cents) => [form, cents] as const)),
  )(
    'asks for the agreements of a booking of the form %s for %i cents, and no others',
    (form, chargeCents) => {
      const asked = { warnOfFee: 'feeWarning', confirmIcbc: 'icbc', agreeToDetails: 'general' };
      const facts = everythingDue({ form, chargeCents, stateChargeCents: chargeCents });
      const agreedTo = walk(facts).flatMap((step) =>
        step in asked ? [asked[step as keyof typeof asked]] : [],
      );
      expect(agreementsOfBooking({ form, chargeCents })).toEqual(agreedTo);
    },
  );

  // Shows: 4.confirm-next.7, R-32
  test.each(['M', 'G'])('%s fills the immigration form before paying', (code) => {
    const { form } = specifiedType(code);
    expect(walk(everythingDue({ form })).slice(-3)).toEqual([
      'fetchState',
      'fillImmigrationForm',
      'pay',
    ]);
  });

  // Shows
  test('a reschedule has no fee warning, documents, limits, form or payment (R-31, R-50, R-51)', () => {
    expect(walk(everythingDue({ form: 'immigration', isReschedule: true }))).toEqual([
      'showProblems',
      'choosePharmacy',
      'checkDemographics',
      'askFamilyDoctor',
      'showNotice',
      'agreeToDetails',
      'fetchState',
      'book',
    ]);
  });

  // Shows: 4.confirm-next.7
  test('a covered appointment with nothing due goes from details to booking', () => {
    const facts = confirmFacts({ detailsAgreed: false, limits: null, stateChargeCents: null });
    const free = { ...facts, stateChargeCents: 0 };
    expect(nextConfirmStep(facts)).toBe('agreeToDetails');
    expect(nextConfirmStep({ ...facts, detailsAgreed: true })).toBe('checkLimits');
    expect(nextConfirmStep({ ...free, detailsAgreed: true, limits: 'kept' })).toBe('book');
  });
});

describe('each question is asked only where it is due', () => {
  const cases: [string, Partial<ConfirmFacts>, ConfirmStep][] = [
    // Shows: 4.confirm-next.1
    ['invalid answers come first', { answersValid: false, chargeCents: 20_000 }, 'showProblems'],
    // Shows: 4.confirm-next.2
    ['139.99 gives no warning', { chargeCents: 13_999 }, 'book'],
    // Shows: 4.confirm-next.2
    ['140.00 gives the warning', { chargeCents: 14_000 }, 'warnOfFee'],
    // Shows: 4.confirm-next.2
    ['an accepted fee is not warned of again', { chargeCents: 14_000, feeAccepted: true }, 'book'],
    // Shows: R-31
    ['the state names 140 unannounced (R-31)', { stateChargeCents: 14_000 }, 'warnOfFee'],
    ['the state names 139.99', { stateChargeCents: 13_999 }, 'pay'],
    [
      // Shows: R-31
      'the state names 140, accepted before',
      { stateChargeCents: 14_000, feeAccepted: true },
      'pay',
    ],
    ['documents not needed', { documentsNeeded: false, uploads: null }, 'book'],
    ['uploads not checked yet', { documentsNeeded: true }, 'checkUploads'],
    // Shows: R-34
    ['the check failed (R-34)', { documentsNeeded: true, uploads: 'failed' }, 'book'],
    [
      // Shows: 4.confirm-next.3
      'no health card',
      { documentsNeeded: true, uploads: { healthCard: false, pictureId: true } },
      'uploadHealthCard',
    ],
    [
      // Shows: 4.confirm-next.3
      'no picture ID',
      { documentsNeeded: true, uploads: { healthCard: true, pictureId: false } },
      'uploadPictureId',
    ],
    [
      'both uploaded',
      { documentsNeeded: true, uploads: { healthCard: true, pictureId: true } },
      'book',
    ],
    // Shows: 4.confirm-next.4
    ['type I unconfirmed', { form: 'injuryClaim', icbcConfirmed: false }, 'confirmIcbc'],
    // Shows: 4.confirm-next.4
    ['other types ask nothing of ICBC', { form: 'driverMedical', icbcConfirmed: false }, 'book'],
    ['the pharmacy prompt is off', { pharmacyPrompt: false }, 'book'],
    ['the pharmacy prompt is on', { pharmacyPrompt: true }, 'choosePharmacy'],
    ['the pharmacy is answered', { pharmacyPrompt: true, pharmacyAnswered: true }, 'book'],
    // Shows: 4.confirm-next.5
    ['no entry in the records', { demographics: 'noEntry' }, 'askFamilyDoctor'],
    ['an entry just created', { demographics: 'created' }, 'book'],
    // Shows: R-35
    ['a notice', { noticeNeeded: true }, 'showNotice'],
    ['a notice understood', { noticeNeeded: true, noticeUnderstood: true }, 'book'],
    ['over a limit', { limits: 'broken' }, 'refuseOverLimit'],
    ['over a limit on a reschedule', { limits: 'broken', isReschedule: true }, 'book'],
    // Shows: R-32
    ['a charge is paid whatever the eligibility (R-32)', { stateChargeCents: 1 }, 'pay'],
    ['a free immigration exam still has its form', { form: 'immigration' }, 'fillImmigrationForm'],
    ['and then is booked', { form: 'immigration', immigrationFormDone: true }, 'book'],
  ];

  test.each(cases)('%s', (_, over, step) => {
    expect(nextConfirmStep(confirmFacts(over))).toBe(step);
  });
});

// Shows: R-39
test('from any facts the walk ends: booked, paid or refused over a limit', () => {
  const facts = fc.record({
    form: fc.constantFrom(...APPOINTMENT_FORMS),
    isReschedule: fc.boolean(),
    answersValid: fc.boolean(),
    chargeCents: fc.constantFrom(0, 1000, 13_999, 14_000),
    feeAccepted: fc.boolean(),
    documentsNeeded: fc.boolean(),
    uploads: fc.constantFrom(null, 'failed' as const, { healthCard: false, pictureId: true }),
    icbcConfirmed: fc.boolean(),
    pharmacyPrompt: fc.boolean(),
    pharmacyAnswered: fc.boolean(),
    demographics: fc.constantFrom(null, 'found' as const, 'noEntry' as const, 'created' as const),
    noticeNeeded: fc.boolean(),
    noticeUnderstood: fc.boolean(),
    detailsAgreed: fc.boolean(),
    limits: fc.constantFrom(null, 'kept' as const, 'broken' as const),
    stateChargeCents: fc.constantFrom(null, 0, 1000, 14_000),
    immigrationFormDone: fc.boolean(),
  });
  fc.assert(
    fc.property(facts, (drawn) => {
      const steps = walk(drawn);
      expect(['book', 'pay', 'refuseOverLimit']).toContain(steps.at(-1));
      expect(new Set(steps).size).toBe(steps.length);
      expect(!drawn.isReschedule || steps.at(-1) === 'book').toBe(true);
    }),
    { numRuns: 1000 },
  );
});
