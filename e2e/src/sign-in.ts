import type { BrowserContext } from '@playwright/test';

/** One password for every account of the practice clinic. */
export const practicePassword = 'Practice-2026';

/** Where the browser keeps the access token. */
export const tokenKey = 'clinic.token';

/**
 * Signs a patient in over the calls, and hands the browser the token: only the sign-in journeys walk through the
 * login page.
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

/** An access token of an account, by a link of the stand-in for the dashboard: without captcha and password. */
export async function accessToken(clinicUrl: string, email: string): Promise<string> {
  const answer = await fetch(`${clinicUrl}/practice/dashboard`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ email }),
  });
  const [, link] = /\/auth\/([\w-]+)\//.exec(answer.headers.get('location') ?? '') ?? [];
  if (link === undefined) throw new Error(`${email} is not let in: ${await answer.text()}`);
  const me = await fetch(`${clinicUrl}/api/me`, { headers: { 'x-access-token': link } });
  const { token } = (await me.json()) as { token: string };
  return token;
}
