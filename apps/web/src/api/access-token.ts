import { createStore } from '@clinic/app/store';

const KEY = 'clinic.token';

/** The access token, read from the browser's storage and watched by the app. */
export const accessToken = createStore<string | null>(read());

export function keepToken(token: string): void {
  try {
    localStorage.setItem(KEY, token);
  } catch {
    // Without storage the session lasts as long as the page.
  }
  accessToken.set(token);
}

export function dropToken(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // There was nothing to remove.
  }
  accessToken.set(null);
}

/** The token that all tabs share; null also where the browser has no storage. */
export const tokenOfAllTabs = read;

/** Calls `tell` with the shared token when another tab signs in or out; returns an unsubscribe. */
export function watchOtherTabs(tell: (token: string | null) => void): () => void {
  const follow = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) tell(read());
  };
  window.addEventListener('storage', follow);
  return () => window.removeEventListener('storage', follow);
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}
