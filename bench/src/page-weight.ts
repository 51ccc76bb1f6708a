import { chromium } from '@playwright/test';

import ensureAllIsBuilt from '../../tools/build.mjs';
import { findBrowser } from '../../e2e/src/browser.ts';
import { openClinic } from '../../e2e/src/clinic-process.ts';
import { ordinaryMorning } from '../../e2e/src/moments.ts';
import { MOST_KB, fetchedBy, scriptsKb } from '../../e2e/src/page-weight.ts';
import { openSignedInAtDesk } from '../../e2e/src/sign-in-at-desk.ts';
import { signIn } from '../../e2e/src/sign-in.ts';
import { figure } from './report.ts';
import type { Row } from './report.ts';

/** All that a page fetches until it stands, in a browser that was never there. */
export async function measurePageWeight(): Promise<Row[]> {
  ensureAllIsBuilt();
  const clinic = await openClinic({ now: ordinaryMorning });
  const { executablePath, args, env } = findBrowser();
  const browser = await chromium.launch({ executablePath, args: [...args], env: { ...env } });
  const fresh = () => browser.newContext({ baseURL: clinic.url, serviceWorkers: 'block' });
  try {
    const visitor = await fresh();
    const login = await fetchedBy(await visitor.newPage(), '/login');
    const patient = await fresh();
    await signIn(patient, clinic.url, 'new1@practice.example');
    const booking = await fetchedBy(await patient.newPage(), '/');
    const atDesk = await fresh();
    const desk = await fetchedBy(await atDesk.newPage(), '/desk');
    const day = `/desk/day/${ordinaryMorning.slice(0, 10)}`;
    await openSignedInAtDesk(atDesk, clinic.url, 'robin@practice.example', day);
    const sheet = await fetchedBy(await atDesk.newPage(), day);
    const pictures = booking.filter(({ type }) => type === 'font' || type === 'image');
    return [
      weight('JavaScript of the login route, gz', scriptsKb(login), MOST_KB.login),
      weight('JavaScript of the booking route, gz', scriptsKb(booking), MOST_KB.booking),
      weight('JavaScript of the front desk’s sign-in, gz', scriptsKb(desk), MOST_KB.deskSignIn),
      weight('JavaScript of the front desk’s day sheet, gz', scriptsKb(sheet), MOST_KB.daySheet),
      weight('fonts and images', pictures.reduce((sum, { bytes }) => sum + bytes, 0) / 1000, 60),
    ];
  } finally {
    await browser.close();
    await clinic.stop();
  }
}

function weight(name: string, kb: number, aim: number): Row {
  return {
    name,
    ours: figure('kB', [kb]),
    limit: { what: 'aim', value: aim },
    aim: 'under',
  };
}
