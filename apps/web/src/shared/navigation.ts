import type { AroundNavHandler } from 'wouter';
import { useLocationProperty } from 'wouter/use-browser-location';

// The browser does not keep how an entry of its history was come to, so it is kept here. These
// listeners stand before those of the router, which dispatches 'pushState' and 'replaceState'.
let cameBack = true;
addEventListener('popstate', () => {
  cameBack = true;
});
for (const move of ['pushState', 'replaceState'])
  addEventListener(move, () => {
    cameBack = false;
  });

let untouched = true;
for (const touch of ['pointerdown', 'keydown', 'click', 'popstate', 'pushState'])
  addEventListener(touch, () => {
    untouched = false;
  });

/** Whether Back, Forward or a reload led to the entry that is shown, and no press in the page. */
export const hasComeBack = (): boolean => cameBack;

/** Whether this is the page that was loaded, or where it led by itself: nothing was pressed yet. */
export const isUntouched = (): boolean => untouched;

/** Path, query and fragment of the page that is shown. */
export const useAddress = (): string => useLocationProperty(address);

function address(): string {
  const { pathname, search, hash } = window.location;
  return pathname + search + hash;
}

/** A link to where the patient is makes no second entry of the history, as in any website. */
export const onceInHistory: AroundNavHandler = (go, to, { replace, ...options } = {}) =>
  go(to, { ...options, replace: replace ?? new URL(to, document.baseURI).href === location.href });
