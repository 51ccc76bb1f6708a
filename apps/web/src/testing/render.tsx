import '@clinic/ui/testing/jsdom-gaps';
import { UiWordsProvider } from '@clinic/ui/words';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Router } from 'wouter';
import { afterEach } from 'vitest';
import { account } from '../messages/en/account.ts';
import { appointments } from '../messages/en/appointments.ts';
import { auth } from '../messages/en/auth.ts';
import { booking } from '../messages/en/booking.ts';
import { confirm } from '../messages/en/confirm.ts';
import { dashboard } from '../messages/en/dashboard.ts';
import { pages } from '../messages/en/pages.ts';
import { patient } from '../messages/en/patient.ts';
import { payment } from '../messages/en/payment.ts';
import { recovery } from '../messages/en/recovery.ts';
import { register } from '../messages/en/register.ts';
import { slots } from '../messages/en/slots.ts';
import { tokenLogin } from '../messages/en/token-login.ts';
import { loadMessages, uiWords } from '../messages/t.ts';
import { forgetDrafts } from '@clinic/app/drafts';
import { createQueryClient } from '../api/query-client.ts';
import { onceInHistory } from '../shared/navigation.ts';
import './fake-live.ts';

await loadMessages({
  account,
  auth,
  booking,
  slots,
  confirm,
  payment,
  appointments,
  pages,
  patient,
  dashboard,
  recovery,
  register,
  tokenLogin,
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  forgetDrafts();
});

/** Renders at `path`, where its entry of the history keeps `state`, with a fresh query cache. */
export function renderPage(page: ReactNode, path = '/', state: unknown = null) {
  window.history.pushState(state, '', path);
  const queryClient = createQueryClient();
  const view = render(page, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={queryClient}>
        <UiWordsProvider words={uiWords()}>
          <Router aroundNav={onceInHistory}>{children}</Router>
        </UiWordsProvider>
      </QueryClientProvider>
    ),
  });
  return { ...view, queryClient };
}

/** What the browser's Back does, or its Forward by 1. */
export const goBack = (by = -1) =>
  act(
    () =>
      new Promise<void>((resolve) => {
        window.addEventListener('popstate', () => resolve(), { once: true });
        window.history.go(by);
      }),
  );
