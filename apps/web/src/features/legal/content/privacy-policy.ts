import type { LegalFacts, LegalText } from '../legal-text.ts';

/** Draft for the clinic's counsel. Privacy Policy, version 2.0. */
export const privacyPolicy = ({ clinicName, clinicEmail }: LegalFacts): LegalText => ({
  version: '2.0',
  sections: [
    {
      heading: 'What we collect',
      paragraphs: [
        `${clinicName} keeps what is needed to book and to give you care: your name, birth date, contact details and health card, the appointments you book, the reason you give, documents you upload, and payments. Card numbers go to the payment provider and never reach us.`,
      ],
    },
    {
      heading: 'What we use it for',
      paragraphs: [
        'We use it to book your appointments, to prepare your visit, to bill where a fee applies and to reach you about your visit. We do not sell it and do not use it for advertising. This website carries no third-party trackers.',
      ],
    },
    {
      heading: 'Who sees it',
      paragraphs: [
        'Your provider and the clinic staff who need it for their work. We give it to others only where the law demands or allows it, such as the provincial health plan or, for an injury claim, the provincial auto insurer.',
      ],
    },
    {
      heading: 'How long we keep it',
      paragraphs: [
        'Medical records are kept for at least 16 years from the last entry, or from the day on which the patient turned 19. For that reason an account can be closed, but not erased.',
      ],
    },
    {
      heading: 'How it is protected',
      paragraphs: [
        'Sensitive details are stored encrypted, access is recorded, and sessions end by themselves when nothing happens. Please log out on a shared computer, and do not book for anybody who is not your immediate family or in your care.',
      ],
    },
    {
      heading: 'Your rights',
      paragraphs: [
        `You may see your information, ask us to correct it and receive a copy of it. Write to ${clinicEmail}. If our answer does not satisfy you, you may turn to the Office of the Information and Privacy Commissioner for British Columbia.`,
      ],
    },
  ],
});
