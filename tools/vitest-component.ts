/// <reference lib="dom" />
import { configure } from '@testing-library/react';

// Generous: on a busy machine no test fails for being slow.
configure({ asyncUtilTimeout: 15_000 });

// jsdom copies an element's style, property by property, each time it is asked for. A query by role
// asks of every element and those around it: what no change has touched since is given again.
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
