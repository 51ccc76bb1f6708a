/// <reference lib="dom" />
import { configure } from '@testing-library/react';

// Generous, so that no test fails because the machine is busy.
configure({ asyncUtilTimeout: 15_000 });

// jsdom copies an element's style property by property on each call, and a query by role calls it for every
// element and its ancestors. So styles are cached until the document changes.
const compute = window.getComputedStyle.bind(window);
let styles = new WeakMap<Element, CSSStyleDeclaration>();
const forget = () => (styles = new WeakMap());
const changes = new MutationObserver(forget);
changes.observe(document, {
  attributes: true,
  characterData: true,
  childList: true,
  subtree: true,
});

window.getComputedStyle = (element, pseudo) => {
  if (pseudo || !document.contains(element)) return compute(element, pseudo);
  if (changes.takeRecords().length > 0) forget();
  const style = styles.get(element) ?? compute(element);
  styles.set(element, style);
  return style;
};
