import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { reportUncaught } from './api/report-failure.ts';
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/reset.css';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the app');
reportUncaught();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
