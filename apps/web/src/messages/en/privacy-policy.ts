/** Privacy Policy, version 2.0: a draft for the clinic's counsel, heading by heading. */
export const privacyPolicy = {
  'privacy.collect': 'What we collect',
  'privacy.collect.what':
    '{clinicName} keeps what is needed to book and to give you care: your name, birth date, contact details and health card, the appointments you book, the reason you give, documents you upload, and payments. Card numbers go to the payment provider and never reach us.',

  'privacy.use': 'What we use it for',
  'privacy.use.what':
    'We use it to book your appointments, to prepare for your appointment, to bill where a fee applies and to reach you about your appointment. We do not sell it and do not use it for advertising. This website carries no third-party trackers.',

  'privacy.seen': 'Who sees it',
  'privacy.seen.by':
    'Your provider and the clinic staff who need it for their work. We give it to others only where the law requires or allows it, such as the provincial health plan or, for an injury claim, the provincial auto insurer.',

  'privacy.kept': 'How long we keep it',
  'privacy.kept.years':
    'Medical records are kept for at least 16 years from the last entry, or from the day on which the patient turned 19. For that reason an account can be closed, but not erased.',

  'privacy.protected': 'How it is protected',
  'privacy.protected.how':
    'Sensitive details are stored encrypted, access is recorded, and sessions end by themselves after a period of inactivity. Please log out on a shared computer, and do not book for anyone who is not your immediate family or in your care.',

  'privacy.rights': 'Your rights',
  'privacy.rights.which':
    'You may see your information, ask us to correct it and receive a copy of it. Write to {clinicEmail}. If you are not satisfied with our answer, you may contact the Office of the Information and Privacy Commissioner for British Columbia.',
} as const;
