import { describe, expect, test } from 'vitest';
import { practiceClinic } from '../testing/practice-clinic.ts';

describe('The stand-in for the dashboard (R-68, R-69)', () => {
  const clinic = practiceClinic({ dashboard: true });

  const choose = (name: string, type: string) =>
    clinic().app.inject({
      method: 'POST',
      url: '/practice/dashboard',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ email: `${name}@practice.example`, type }).toString(),
    });

  test('offers every account of the practice clinic', async () => {
    const { body, statusCode } = await clinic().app.inject('/practice/dashboard');
    expect([statusCode, body]).toEqual([200, expect.stringContaining('casey@practice.example')]);
    const out = await clinic().app.inject('/practice/dashboard/logout');
    expect(out.body).toContain('You are signed out of the dashboard.');
  });

  test.each(['I', 'D', 'Z'])('signs a patient in with a link for %s', async (type) => {
    const answer = await choose('casey', type);
    const location = String(answer.headers.location);
    expect(answer.statusCode).toBe(303);
    expect(location).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:3000/auth/link_[\\w-]+/${type}$`));
    const token = location.split('/')[4] ?? '';
    const me = await clinic().app.inject({ url: '/api/me', headers: { 'x-access-token': token } });
    const { email, token: session } = me.json<{ email: string; token: string }>();
    expect([email, session.length]).toEqual(['casey@practice.example', 43]);
  });

  test('says why a patient is not let in', async () => {
    expect((await choose('cleo', 'I')).body).toContain('This account is closed');
    expect((await choose('nobody', 'I')).statusCode).toBe(200);
  });

  // Shows: R-69
  test('is the dashboard of the configuration when it is switched on', async () => {
    const { extras } = (await clinic().app.inject('/api/services/config')).json<{
      extras: Record<string, unknown>;
    }>();
    expect(extras).toMatchObject({
      flags: { dashboard: true },
      dashboardUrl: 'http://127.0.0.1:3000/practice/dashboard',
      dashboardLogoutUrl: 'http://127.0.0.1:3000/practice/dashboard/logout',
      staffDashboardUrl: 'http://127.0.0.1:3000/practice/dashboard',
    });
    expect(JSON.stringify(extras)).not.toContain('ecret');
  });
});
