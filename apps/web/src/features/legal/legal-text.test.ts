import { expect, test } from 'vitest';
import { type LegalFacts, type LegalText, legalText } from './legal-text.ts';

const feeSchedule = (facts: LegalFacts) => legalText('en', 'fees', facts);
const termsOfUse = (facts: LegalFacts) => legalText('en', 'terms', facts);
const privacyPolicy = (facts: LegalFacts) => legalText('en', 'privacy', facts);
const facts = {
  clinicName: 'Harbour Street Clinic',
  clinicEmail: 'booking@clinic.example',
  bookingFee: 12.5,
  noShowFee: 50,
};
const words = ({ sections }: LegalText) =>
  sections.flatMap(({ paragraphs }) => paragraphs).join('\n');

// Shows: 9.fee-schedule.1
test('the fee schedule names every fee of §9', () => {
  const { sections } = feeSchedule(facts);
  const fees = sections.flatMap(({ rows = [] }) => rows).map(({ what, fee }) => `${what}: ${fee}`);
  expect(fees).toEqual([
    'With a valid BC Services Card: Free',
    'With a valid health card of another province (not Quebec): non-refundable booking fee, only car crash appointments: $12.50',
    'Non-resident, invalid BC or other card, or Quebec card: $200.00',
    'Driver medical exam, booked online (regular $250.00): $150.00',
    'Driver medical at the wrong time: $250.00',
    'Sick note: $65.00',
  ]);
});

// Shows: 9.fee-schedule.2, R-43
test('the ordinary booking fee is one figure in every text, from the configuration (R-43)', () => {
  const text = words(feeSchedule(facts));
  expect(text).toContain(
    'The booking fee is non-refundable: $200.00 if the BC card has incorrect information, or for a Quebec, other or non-Canadian card; $12.50 otherwise; $250.00 for a wrong date of birth.',
  );
  for (const legal of [feeSchedule(facts), termsOfUse(facts), privacyPolicy(facts)])
    expect(JSON.stringify(legal)).not.toMatch(/\$(10|5)\.00/);
});

// Shows: 1.audience.2, 1.audience.3, 5.terms.1, 9.policy.1, 9.policy.2, R-87, R-96
test('the terms say the policy of §9 and who may use the service (§5 Terms)', () => {
  const terms = words(termsOfUse(facts));
  for (const policy of [
    'at least 19 years old, or the authorized representative of the patient',
    'Each account is for one person.',
    'Booking on behalf of an agency or an institution is not allowed, and such accounts are blocked.',
    'Fees are non-refundable. A paid appointment can be rescheduled only through this website. A missed appointment is not rescheduled.',
    'A driver medical that was booked at the wrong time costs $250.00.',
    'For an appointment at the clinic, please arrive 15 minutes early',
    'For an appointment by phone, keep your phone nearby',
    'An appointment can be cancelled online up to 6 hours before it starts, unless $140.00 or more was paid for it',
    'A fee that was paid is not refunded when you cancel.',
    'rescheduled online up to 24 hours before it starts, where My Appointments offers it',
    '30 days after the mediator is appointed',
  ])
    expect(terms).toContain(policy);
  expect(terms).not.toContain('when nothing was paid');
  expect(words(privacyPolicy(facts))).toContain('at least 16 years');
});

// Shows: 2.shell.4
test('terms and privacy policy are version 2.0', () => {
  expect([termsOfUse(facts).version, privacyPolicy(facts).version]).toEqual(['2.0', '2.0']);
});
