import type { BrowserContext, Page } from '@playwright/test';

import { codeAt } from '../../apps/service/testing/desk.ts';
import { advanceClock } from './clinic-process.ts';
import { openSignedInAtDesk } from './sign-in-at-desk.ts';
import { practicePassword } from './sign-in.ts';

const KIM = { name: 'Kim Park', email: 'kim@practice.example' };

/** Has a manager invite a second receptionist, who sets up their sign-in and opens a page of the front desk. */
export async function openSecondReceptionist(
  manager: Page,
  context: BrowserContext,
  path: string,
): Promise<{ email: string; page: Page }> {
  const { origin } = new URL(manager.url());
  const ask = async <T>(call: string, data: object): Promise<T> => {
    const headers = { origin };
    const answer = await manager.request.post(`${origin}/api/desk/${call}`, { headers, data });
    if (!answer.ok()) throw new Error(`${call}: ${await answer.text()}`);
    return ((await answer.json()) as { extras: T }).extras;
  };
  await ask('staff', { ...KIM, roles: ['receptionist'], providerId: null });
  await advanceClock(origin, 1);
  const mails = await (await fetch(`${origin}/practice/mail`)).text();
  const token = /\/desk\/invitation#([\w-]+)/.exec(mails)?.[1] ?? '';
  const { secret } = await ask<{ secret: string }>('invitation', { token });
  const code = codeAt(await advanceClock(origin, 0), secret);
  await ask('invitation/accept', { token, password: practicePassword, code });
  // Each code is good once.
  const next = async () => codeAt(await advanceClock(origin, 30), secret);
  return {
    email: KIM.email,
    page: await openSignedInAtDesk(context, origin, KIM.email, path, next),
  };
}
