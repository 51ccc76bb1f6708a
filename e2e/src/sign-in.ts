import type { BrowserContext } from '@playwright/test';
import { solvedCaptcha } from './solved-captcha.ts';

/** One password for every account of the practice clinic. */
export const practicePassword = 'Practice-2026';

/** Where the browser keeps the access token. */
export const tokenKey = 'clinic.token';

/**
 * Signs a patient in over the calls, with a captcha solved here, and hands the browser the token:
 * only the sign-in journeys walk through the login page.
 */
export async function signIn(
  context: BrowserContext,
  clinicUrl: string,
  email: string,
): Promise<string> {
  const token = await accessToken(clinicUrl, email);
  await context.addInitScript(
    ([key, value]) => {
      // An empty page of a new tab has no storage.
      if (location.origin === 'null') return;
      // Once each: a patient who signs out stays signed out, and the one before stays away.
      const done = `journey.signed-in ${value}`;
      if (localStorage.getItem(done) !== null) return;
      localStorage.setItem(done, '');
      localStorage.setItem(key, value);
    },
    [tokenKey, token] as const,
  );
  return token;
}

/** An access token of a practice account. */
export async function accessToken(clinicUrl: string, email: string): Promise<string> {
  const answer = await fetch(`${clinicUrl}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      method: 'email',
      email,
      password: practicePassword,
      recaptcha: await solvedCaptcha(clinicUrl),
    }),
  });
  const body = (await answer.json()) as { extras: { accessToken?: string; message: string } };
  if (!body.extras.accessToken) throw new Error(`${email} is not let in: ${body.extras.message}`);
  return body.extras.accessToken;
}
