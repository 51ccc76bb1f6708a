import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { bringTranslationsBy } from '@clinic/app/language';
import { bringTranslations } from 'virtual:translations';
import { fetchAhead } from './shared/api.ts';
import { App, fetchCode } from './app/app.tsx';
import { startLanguage } from './shared/language.ts';
import '@clinic/ui/fonts.css';
import '@clinic/ui/tokens.css';
import '@clinic/ui/reset.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the app');
bringTranslationsBy(bringTranslations);
fetchCode(location.pathname);
await startLanguage();
fetchAhead(location.pathname);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
