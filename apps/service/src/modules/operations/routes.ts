import { setTimeout as pause } from 'node:timers/promises';

import { calls } from '@clinic/contract';
import type { ClinicConfig } from '@clinic/contract';
import type { PublishedAgreement } from '@clinic/contract/agreements';
import { dollarsOf } from '@clinic/domain';
import { languages } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import type { ServiceConfig } from '../../server/config.ts';
import { success } from '../../server/responses.ts';
import { route } from '../../server/http.ts';
import { publishedAgreements } from '../accounts/index.ts';
import { availabilityNow } from './availability.ts';

const TEXTS_WITHIN_MS = 1_000;

/** Calls for the availability of booking, and for what the browser must know before anybody signs in. */
export function registerOperations(app: FastifyInstance, platform: Platform): void {
  route(app, calls.recordsStatus, async () => {
    const now = await availabilityNow(platform);
    if (now.kind === 'bookingPaused')
      return {
        success: true,
        status: true,
        extras: { asOf: now.asOf, ...(now.why === 'refused' && { refused: true }) },
      };
    const status = now.kind === 'online';
    const message = now.kind === 'announced' ? now.announcement.message : null;
    return { success: status, status, ...(message === null ? {} : { extras: { message } }) };
  });

  const config = browserConfig(platform.config);
  let agreements: PublishedAgreement[] = [];
  route(app, calls.getConfig, async () => {
    // While the database is down or silent, pages still get the clinic's phone number, with the agreements
    // that were read last: what a patient agrees to is compared again.
    const reading = publishedAgreements(platform.database.db).catch(() => agreements);
    agreements = await Promise.race([reading, pause(TEXTS_WITHIN_MS, agreements, { ref: false })]);
    return success({ ...config, agreements });
  });
}

function browserConfig(config: ServiceConfig): Omit<ClinicConfig, 'agreements'> {
  const { clinic } = config;
  return {
    clinicName: clinic.name,
    clinicEmail: clinic.email,
    clinicPhone: clinic.phone,
    clinicAddress: clinic.address,
    practice: config.practice,
    languages: languages.filter(({ id }) => config.languages.includes(id)),
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
