import { QueryClient } from '@tanstack/react-query';
import { waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { reply } from '../testing/booking-clinic.ts';
import { fakeService } from '../testing/fake-service.ts';
import { loadPharmaciesWhenIdle } from '../shared/pharmacies/pharmacies-query.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

// Shows: 4.auth.7
test('starting the app loads the pharmacy list once the browser is idle (§4)', async () => {
  const service = fakeService(reply('listPharmacies', () => []));
  const idle: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (run: () => void) => idle.push(run));
  loadPharmaciesWhenIdle(new QueryClient());
  expect(service.calls).toEqual([]);
  for (const run of idle) run();
  await waitFor(() => expect(service.calls).toEqual(['GET /pharmacy/all']));
});

test('a list that does not come is no failure of the app', async () => {
  const service = fakeService({ 'GET /pharmacy/all': () => ({ status: 500, body: {} }) });
  vi.stubGlobal('requestIdleCallback', (run: () => void) => run());
  loadPharmaciesWhenIdle(new QueryClient({ defaultOptions: { queries: { retry: false } } }));
  await waitFor(() => expect(service.calls).toEqual(['GET /pharmacy/all']));
});
