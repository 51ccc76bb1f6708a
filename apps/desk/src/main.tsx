import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { fetchAhead } from './shared/api.ts';
import { App, fetchCode } from './app/app.tsx';
import '@clinic/ui/fonts.css';
import '@clinic/ui/tokens.css';
import '@clinic/ui/reset.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the app');
fetchAhead(location.pathname);
fetchCode(location.pathname);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
