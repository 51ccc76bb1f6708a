import { createStore } from '../shared/store.ts';

const KEY = 'clinic.token';

/** The access token has one home, the browser's storage; this watches it. */
export const accessToken = createStore<string | null>(read());

export function keepToken(token: string): void {
  try {
    localStorage.setItem(KEY, token);
  } catch {
    // A browser that keeps nothing: the session lasts as long as the page.
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

/** The token as the tabs share it; null too where the browser keeps nothing. */
export const tokenOfAllTabs = read;

/** Another tab signed in or out; the token that all share now is told. */
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
