import { UiWordsProvider } from '@clinic/ui/words';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { Router } from 'wouter';
import { uiWords } from '../messages/t.ts';
import { pageLanguage } from '@clinic/app/language';
import { onceInHistory } from '../shared/navigation.ts';
import { useStore } from '@clinic/app/store';
import { ErrorBoundary } from './error-boundary.tsx';
import { AppRoutes } from './routes.tsx';
import { Shell } from './shell.tsx';

/** The providers around the app, and the routes within the shell. */
export function App({ queryClient }: { queryClient: QueryClient }) {
  // Texts are read while rendering, so a change of language re-renders the app in place.
  useStore(pageLanguage);
  return (
    <QueryClientProvider client={queryClient}>
      <Router aroundNav={onceInHistory}>
        <ErrorBoundary>
          <UiWordsProvider words={uiWords()}>
            <Shell>
              <AppRoutes />
            </Shell>
          </UiWordsProvider>
        </ErrorBoundary>
      </Router>
    </QueryClientProvider>
  );
}
