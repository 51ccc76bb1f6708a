import { calls } from '@clinic/contract';
import type { ClinicConfig } from '@clinic/contract';
import { dollarsOf } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { ServiceConfig } from '../../server/config.ts';
import { route } from '../../server/http.ts';

/** what the browser must know before anybody signs in. */
export function registerConfig(
  app: FastifyInstance,
  { config }: { readonly config: ServiceConfig },
): void {
  const extras = browserConfig(config);
  route(app, calls.getConfig, async () => ({ success: true as const, extras }));
}

function browserConfig(config: ServiceConfig): ClinicConfig {
  const { clinic } = config;
  return {
    clinicName: clinic.name,
    clinicEmail: clinic.email,
    clinicPhone: clinic.phone,
    clinicAddress: clinic.address,
    practice: config.practice,
    flags: {
      dashboard: config.dashboardUrl !== null,
      preferredPharmacy: config.preferredPharmacyPrompt,
    },
    dashboardUrl: config.dashboardUrl,
    dashboardLogoutUrl: config.dashboardLogoutUrl ?? config.dashboardUrl,
    staffDashboardUrl: config.staffDashboardUrl,
    medicationSiteUrl: config.medicationSiteUrl,
    captcha: { ...config.captcha },
    payments: config.payments && { ...config.payments },
    bookingFee: dollarsOf(config.bookingFeeCents),
    noShowFee: config.noShowFeeCents === null ? null : dollarsOf(config.noShowFeeCents),
    familyDoctorIds: { ...config.familyDoctorIds },
    walkInHours: clinic.walkInHours.map((each) => ({ ...each })),
  };
}
