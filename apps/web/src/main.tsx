import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { translations } from 'virtual:translations';
import { App } from './app/app.tsx';
import { reportUncaught } from './api/report-failure.ts';
import { bringTranslationsBy } from './messages/t.ts';
import { startLanguage } from './shared/language.ts';
import '@clinic/ui/fonts.css';
import '@clinic/ui/tokens.css';
import '@clinic/ui/reset.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the app');
reportUncaught();
bringTranslationsBy(async (locale, part) => {
  const language = await translations[locale]?.();
  const own = await language?.parts[part]?.();
  return { ...(part === 'shell' ? language?.default : own?.default) };
});
await startLanguage();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
// What it keeps is for the next time: nothing waits for it, and nothing is lost without it.
if (import.meta.env.PROD)
  addEventListener(
    'load',
    () => void navigator.serviceWorker?.register('/offline-worker.mjs').catch(() => {}),
  );
