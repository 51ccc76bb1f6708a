import type { ServiceConfig } from '@clinic/service/server/config.ts';
import { PASSWORD_COST } from '@clinic/service/security/passwords.ts';
import { RATES } from '@clinic/service/server/rates.ts';
import { PSEUDO, PSEUDO_MIRRORED, addPseudoLocales } from '@clinic/texts/pseudo';

/** Everything about the practice clinic is invented; its email and phone are nobody's, and production refuses them. */
export function practiceConfig(publicUrl: string, webRoot: string | null): ServiceConfig {
  addPseudoLocales();
  return {
    publicUrl,
    practice: true,
    clinic: {
      name: 'Harbour View Medical Clinic',
      email: 'booking@harbourview.example',
      phone: '604-555-0100',
      address: '1200 Burrard Street, Vancouver, BC V6Z 2C7',
      walkInHours: [
        { days: 'Monday to Friday', hours: '9am to noon' },
        { days: 'Tuesday and Thursday', hours: '2 to 4pm' },
      ],
    },
    languages: ['en', 'fr', PSEUDO, PSEUDO_MIRRORED],
    dashboardUrl: null,
    dashboardLogoutUrl: null,
    dashboardSecret: null,
    staffDashboardUrl: null,
    medicationSiteUrl: 'https://medication.example/',
    preferredPharmacyPrompt: false,
    captcha: { kind: 'altcha', siteKey: null },
    bookingFeeCents: 1_000,
    noShowFeeCents: null,
    familyDoctorIds: { yes: '1998', no: '1999' },
    payments: { kind: 'practice', publishableKey: null },
    rates: RATES,
    passwordCost: PASSWORD_COST,
    webRoot,
    trustProxy: false,
    strictAnswers: false,
  };
}
