import { cleanup, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach } from 'vitest';
import { UiWordsProvider } from '../words.tsx';
import './jsdom-gaps.ts';
import { plainWords } from './words.ts';

afterEach(cleanup);

/** Renders controls as they stand in an app. */
export function renderControls(controls: ReactNode) {
  return render(controls, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <UiWordsProvider words={plainWords}>{children}</UiWordsProvider>
    ),
  });
}
