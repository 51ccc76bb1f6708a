import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { bringTranslationsBy } from '@clinic/app/language';
import { bringTranslations } from 'virtual:translations';
import { App } from './app/app.tsx';
import { loadPatientPage } from './app/routes.tsx';
import { accessToken } from './api/access-token.ts';
import { createQueryClient } from './api/query-client.ts';
import { reportUncaught } from './api/report-failure.ts';
import { startLanguage } from './shared/language.ts';
import { loadPharmaciesWhenIdle } from './shared/pharmacies/pharmacies-query.ts';
import '@clinic/ui/fonts.css';
import '@clinic/ui/tokens.css';
import '@clinic/ui/reset.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the app');
reportUncaught();
bringTranslationsBy(bringTranslations);
await startLanguage();
const queryClient = createQueryClient();
loadPatientPage();
accessToken.subscribe(loadPatientPage);
loadPharmaciesWhenIdle(queryClient);
createRoot(root).render(
  <StrictMode>
    <App queryClient={queryClient} />
  </StrictMode>,
);
// What it keeps is for the next time: nothing waits for it, and nothing is lost without it.
if (import.meta.env.PROD)
  addEventListener(
    'load',
    () => void navigator.serviceWorker?.register('/offline-worker.mjs').catch(() => {}),
  );
