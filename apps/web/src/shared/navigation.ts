import type { AroundNavHandler } from 'wouter';
import { useLocationProperty } from 'wouter/use-browser-location';

// The browser does not tell how the patient came to a history entry, so these listeners note it.
// They run before the router's, which dispatches 'pushState' and 'replaceState'.
let cameBack = true;
addEventListener('popstate', () => {
  cameBack = true;
});
for (const move of ['pushState', 'replaceState'])
  addEventListener(move, () => {
    cameBack = false;
  });

// Nor whether anybody has done something on the page since it came.
let untouched = true;
for (const touch of ['pointerdown', 'keydown', 'click', 'popstate', 'pushState'])
  addEventListener(touch, () => {
    untouched = false;
  });

/** True when Back, Forward or a reload led to the present entry, rather than a press in the page. */
export const hasComeBack = (): boolean => cameBack;

/** True while nothing has been pressed since the page was loaded, even if it redirected itself. */
export const isUntouched = (): boolean => untouched;

/** What something of unknown shape, such as the history's state, has under a name; undefined for nothing. */
export const partOf = (whole: unknown, name: string): unknown =>
  typeof whole === 'object' && whole !== null ? Reflect.get(whole, name) : undefined;

/** Path, query and fragment of the present page. */
export const useAddress = (): string => useLocationProperty(address);

function address(): string {
  const { pathname, search, hash } = window.location;
  return pathname + search + hash;
}

/** As on any website, a link to the present page replaces its history entry instead of adding one. */
export const onceInHistory: AroundNavHandler = (go, to, { replace, ...options } = {}) =>
  go(to, { ...options, replace: replace ?? new URL(to, document.baseURI).href === location.href });
