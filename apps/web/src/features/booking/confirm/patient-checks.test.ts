import { QueryClient } from '@tanstack/react-query';
import { anAppointmentType } from '@clinic/domain/testing';
import { afterEach, expect, test, vi } from 'vitest';
import { fakeService } from '../../../testing/fake-service.ts';
import { casey } from '../../../testing/people.ts';
import { settleChecks } from '../booking-data.ts';

afterEach(() => {
  vi.useRealTimers();
});

const never = () => new Promise<'unreachable'>(() => {});

// Shows: R-23
test('checks that do not answer hold the patient up for ten seconds at most (R-23)', async () => {
  vi.useFakeTimers();
  fakeService({ 'GET /me/check-nopcp': never, 'GET /clinic/admin/patient/5001': never });
  let settled = false;
  const type = anAppointmentType({ enforceMrp: true, enforceNoPcp: true });
  void settleChecks(new QueryClient(), casey, type).then(() => (settled = true));
  await vi.advanceTimersByTimeAsync(9_999);
  expect(settled).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(settled).toBe(true);
});

// Shows: 7.me.2
test('checks that fail hold nobody up, and a type that enforces nothing asks for none', async () => {
  const service = fakeService({ 'GET /me/check-nopcp': () => 'unreachable' });
  const client = new QueryClient();
  await settleChecks(client, casey, anAppointmentType({ enforceNoPcp: true }));
  expect(service.calls).toEqual(['GET /me/check-nopcp']);
  await settleChecks(client, casey, anAppointmentType());
  expect(service.calls).toHaveLength(1);
});
