import { HIGH_FEE_CENTS } from '@clinic/domain';
import { dollars, type LegalFacts, type LegalText } from '../legal-text.ts';

/** Draft for the clinic's counsel. Terms of Use, version 2.0. */
export const termsOfUse = ({ clinicName, clinicEmail, noShowFee }: LegalFacts): LegalText => ({
  version: '2.0',
  sections: [
    {
      heading: 'Who may use this service',
      paragraphs: [
        `${clinicName} offers this website so that its patients can book their own appointments. You must be at least 19 years old, or the authorised representative of the patient.`,
        'Each account is for one person. A child needs an account of their own, with their own health card. Booking on behalf of an agency or an institution is not allowed, and such accounts are blocked.',
      ],
    },
    {
      heading: 'Not for emergencies or medical advice',
      paragraphs: [
        'Do not use this website in an emergency: call 911 or go to the nearest emergency department. Nothing on this website is medical advice.',
      ],
    },
    {
      heading: 'Appointments',
      paragraphs: [
        'For a visit at the clinic, please arrive 15 minutes early, with a photo ID and your care card. For a visit by phone, keep your phone near you: our provider will call you. The information you give when you book must be true and complete.',
        `An appointment can be cancelled online up to 6 hours before it starts, unless ${dollars(HIGH_FEE_CENTS / 100)} or more was paid for it or it is a private appointment that My Appointments shows as one that cannot be cancelled. A fee that was paid is not given back when you cancel.`,
        'An appointment can be rescheduled online up to 24 hours before it starts, where My Appointments offers it. What was paid for it moves with it.',
      ],
    },
    {
      heading: 'Fees',
      paragraphs: [
        'Fees are non-refundable. A paid appointment can be rescheduled only through this website. An appointment that was missed is not rescheduled.',
        noShowFee === null
          ? 'Within 6 hours of its start an appointment cannot be cancelled, and a No Show fee applies when you miss it.'
          : `Within 6 hours of its start an appointment cannot be cancelled, and a No Show fee of ${dollars(noShowFee)} applies when you miss it.`,
        'A driver medical that was booked at the wrong time costs $250.00.',
      ],
    },
    {
      heading: 'Disputes',
      paragraphs: [
        'We would like to settle any disagreement by talking. Where this does not help, it goes to mediation, which ends 30 days after the mediator is appointed unless both sides agree otherwise. The laws of British Columbia apply.',
        `Questions about these terms: ${clinicEmail}.`,
      ],
    },
  ],
});
