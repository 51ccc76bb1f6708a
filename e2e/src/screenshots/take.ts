import { join, resolve } from 'node:path';

import { chromium } from '@playwright/test';

import { findBrowser } from '../browser.ts';
import { forgetSeededFolders, openClinic } from '../clinic-process.ts';
import { ordinaryMorning } from '../moments.ts';
import { takeScreenshots } from './draw.ts';
import { bookingFlows, lapsingFlows } from './booking-flows.ts';
import { patientFlows } from './patient-flows.ts';
import { signUpFlows } from './sign-up-flows.ts';
import { appointmentFormsFlows } from './visit-forms-flows.ts';
import { visitorFlows } from './visitor-flows.ts';

const folder = resolve(import.meta.dirname, '../../../screens');

forgetSeededFolders();
const clinic = await openClinic({ now: ordinaryMorning });
const { executablePath, args, env } = findBrowser();
const browser = await chromium.launch({ executablePath, args: [...args], env: { ...env } });
try {
  const flows = [
    ...bookingFlows,
    ...appointmentFormsFlows,
    ...patientFlows,
    ...visitorFlows,
    ...signUpFlows,
  ];
  const most = await takeScreenshots(browser, clinic, folder, flows, 3);
  const last = await takeScreenshots(browser, clinic, folder, lapsingFlows, 1);
  const failures = [...most.failures, ...last.failures];
  process.stdout.write(`${most.pictures + last.pictures} pictures in ${join(folder, '/')}\n`);
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await clinic.stop();
}
