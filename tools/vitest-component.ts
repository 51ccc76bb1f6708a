/// <reference lib="dom" />
import * as react from 'react';
import { configure } from '@testing-library/react';

// Generous, so that no test fails because the machine is busy.
configure({ asyncUtilTimeout: 300_000 });

// React keeps a stack of each of its first 10,000 elements of a second, which only its developer tools show.
const internals = Reflect.get(
  react,
  '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE',
) as object;
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set() {} });

// jsdom matches an element against its own style sheet for each of its ancestors, and a query by role asks for
// the style of every element. Its sheet tells elements apart by their kind, so that what queries ask for is
// computed once for each kind, and anew only for what has a style of its own. Our style sheets are not loaded.
const compute = window.getComputedStyle.bind(window);
const ASKED = ['display', 'visibility', 'pointer-events'];
const kinds = new Map<string, ReadonlyMap<string, string>>();
let special = new WeakMap<Element, boolean>();
let styles = new WeakMap<Element, CSSStyleDeclaration>();
const forget = () => {
  special = new WeakMap();
  styles = new WeakMap();
};
const changes = new MutationObserver(forget);
changes.observe(document, {
  attributes: true,
  characterData: true,
  childList: true,
  subtree: true,
});

/** Has, or takes over from an element that holds it, a style that its kind does not tell. */
function isSpecial(element: Element): boolean {
  const known = special.get(element);
  if (known !== undefined) return known;
  const isIt =
    /display|visibility|pointer-events/.test(element.getAttribute('style') ?? '') ||
    element.hasAttribute('popover') ||
    (element.hasAttribute('hidden') && /^(?:col|colgroup|t.*)$/.test(element.localName)) ||
    (element.parentElement !== null && isSpecial(element.parentElement));
  special.set(element, isIt);
  return isIt;
}

/** What the style sheet of jsdom looks at. */
const kindOf = (element: Element) =>
  [element.tagName, ...['hidden', 'open', 'type'].map((name) => element.getAttribute(name))].join();

function styleOfKind(element: Element, whole: () => CSSStyleDeclaration): CSSStyleDeclaration {
  const kind = kindOf(element);
  const told =
    kinds.get(kind) ?? new Map(ASKED.map((name) => [name, whole().getPropertyValue(name)]));
  kinds.set(kind, told);
  const getPropertyValue = (name: string) => told.get(name) ?? whole().getPropertyValue(name);
  const own: Record<PropertyKey, unknown> = {
    display: told.get('display'),
    visibility: told.get('visibility'),
    pointerEvents: told.get('pointer-events'),
    getPropertyValue,
  };
  return new Proxy({} as CSSStyleDeclaration, {
    get: (_, name) => own[name] ?? (Reflect.get(whole(), name) as unknown),
  });
}

window.getComputedStyle = (element, pseudo) => {
  if (pseudo || !document.contains(element)) return compute(element, pseudo);
  if (changes.takeRecords().length > 0) forget();
  const known = styles.get(element);
  if (known) return known;
  const isPlain = document.styleSheets.length === 0 && element.localName !== 'summary';
  const style =
    isPlain && !isSpecial(element)
      ? styleOfKind(element, () => compute(element))
      : compute(element);
  styles.set(element, style);
  return style;
};

// The hands of most tests are quicker than any person's: what they press is a second of event time late, so that
// the guard of packages/ui finds it meant. A test of that guard gives its events times of their own.
const stamp = Object.getOwnPropertyDescriptor(Event.prototype, 'timeStamp');
Object.defineProperty(Event.prototype, 'timeStamp', {
  get(this: Event): number {
    const at = stamp?.get?.call(this) as number;
    return /^(pointer|mouse|key|click)/.test(this.type) ? at + 1_000 : at;
  },
});
