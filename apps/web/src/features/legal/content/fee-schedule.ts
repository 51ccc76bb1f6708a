import { dollars, type LegalFacts, type LegalText } from '../legal-text.ts';

/** Draft for the clinic's counsel. Fee Schedule. */
export const feeSchedule = ({ bookingFee, noShowFee }: LegalFacts): LegalText => ({
  version: null,
  sections: [
    {
      heading: 'Visits',
      paragraphs: ['All amounts are in Canadian dollars.'],
      rows: [
        { what: 'With a valid BC Services Card', fee: 'Free' },
        {
          what: 'With a valid health card of another province (not Quebec): non-refundable booking fee, only car crash appointments',
          fee: dollars(bookingFee),
        },
        {
          what: 'Non-resident, invalid BC or other card, or Quebec card',
          fee: dollars(200),
        },
      ],
    },
    {
      heading: 'Other services',
      paragraphs: [],
      rows: [
        { what: 'Driver medical exam, booked online (regular $250.00)', fee: dollars(150) },
        { what: 'Driver medical at the wrong time', fee: dollars(250) },
        { what: 'Sick note', fee: dollars(65) },
      ],
    },
    {
      heading: 'Booking fee',
      paragraphs: [
        `The booking fee is non-refundable: ${dollars(200)} where the BC card carries wrong data, or for a Quebec, other or non-Canadian card; ${dollars(bookingFee)} otherwise; ${dollars(250)} for a wrong date of birth.`,
      ],
    },
    {
      heading: 'Changes and missed visits',
      paragraphs: [
        'Fees are non-refundable. A paid appointment can be rescheduled only through this website, and one that was missed is not rescheduled.',
        noShowFee === null
          ? 'Within 6 hours of its start an appointment cannot be cancelled and a No Show fee applies.'
          : `Within 6 hours of its start an appointment cannot be cancelled and a No Show fee of ${dollars(noShowFee)} applies.`,
      ],
    },
  ],
});
