import { createStore } from '@clinic/app/store';
import { ofAllTabs } from './storage.ts';

const KEY = 'clinic.token';

/** The access token, read from the browser's storage and watched by the app. */
export const accessToken = createStore(ofAllTabs.read(KEY));

/** Without storage the session lasts as long as the page. */
export function keepToken(token: string): void {
  ofAllTabs.write(KEY, token);
  accessToken.set(token);
}

export function dropToken(): void {
  ofAllTabs.write(KEY, null);
  accessToken.set(null);
}

/** The token that all tabs share; null also where the browser has no storage. */
export const tokenOfAllTabs = () => ofAllTabs.read(KEY);

/** Calls `tell` with the shared token when another tab signs in or out; returns an unsubscribe. */
export function watchOtherTabs(tell: (token: string | null) => void): () => void {
  const follow = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) tell(tokenOfAllTabs());
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}
