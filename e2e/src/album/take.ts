import { join, resolve } from 'node:path';

import { chromium } from '@playwright/test';

import { findBrowser } from '../browser.ts';
import { forgetSeededFolders, openClinic } from '../clinic-process.ts';
import { ordinaryMorning } from '../moments.ts';
import { fillAlbum } from './draw.ts';
import { bookingWalks, lapsingWalks } from './booking-walks.ts';
import { patientWalks } from './patient-walks.ts';
import { signUpWalks } from './sign-up-walks.ts';
import { appointmentFormsWalks } from './visit-forms-walks.ts';
import { visitorWalks } from './visitor-walks.ts';

const folder = resolve(import.meta.dirname, '../../../screens');

forgetSeededFolders();
const clinic = await openClinic({ now: ordinaryMorning });
const { executablePath, args, env } = findBrowser();
const browser = await chromium.launch({ executablePath, args: [...args], env: { ...env } });
try {
  const walks = [
    ...bookingWalks,
    ...appointmentFormsWalks,
    ...patientWalks,
    ...visitorWalks,
    ...signUpWalks,
  ];
  const most = await fillAlbum(browser, clinic, folder, walks, 3);
  const last = await fillAlbum(browser, clinic, folder, lapsingWalks, 1);
  const failures = [...most.failures, ...last.failures];
  process.stdout.write(`${most.pictures + last.pictures} pictures in ${join(folder, '/')}\n`);
  for (const failure of failures) process.stderr.write(`${failure}\n`);
  if (failures.length > 0) process.exitCode = 1;
} finally {
  await browser.close();
  await clinic.stop();
}
