import { waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { reply } from '../testing/booking-clinic.ts';
import { fakeService } from '../testing/fake-service.ts';
import { renderPage } from '../testing/render.tsx';
import { usePharmaciesAtStart } from './shell.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
});

function App() {
  usePharmaciesAtStart();
  return null;
}

// Shows: 4.auth.7
test('starting the app loads the pharmacy list once the browser is idle (§4)', async () => {
  const service = fakeService(reply('listPharmacies', () => []));
  const idle: (() => void)[] = [];
  vi.stubGlobal('requestIdleCallback', (run: () => void) => idle.push(run));
  vi.stubGlobal('cancelIdleCallback', () => {});
  const { unmount } = renderPage(<App />);
  expect(service.calls).toEqual([]);
  for (const run of idle) run();
  await waitFor(() => expect(service.calls).toEqual(['GET /pharmacy/all']));
  unmount();
});

test('a list that does not come is no failure of the app', async () => {
  const service = fakeService({ 'GET /pharmacy/all': () => ({ status: 500, body: {} }) });
  vi.stubGlobal('requestIdleCallback', (run: () => void) => run());
  vi.stubGlobal('cancelIdleCallback', () => {});
  const { unmount } = renderPage(<App />);
  await waitFor(() => expect(service.calls).toEqual(['GET /pharmacy/all']));
  unmount();
});
