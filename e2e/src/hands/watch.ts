import type { BrowserContext } from '@playwright/test';

import { withHandTime } from './hand-time.ts';

/** What a page tells the hands. It hears each press before the page's own guard, and each click that passed it. */
export interface Watch {
  /** The control of an element: a label's is its field. */
  readonly controlOf: (element: Element | null) => HTMLElement | null;
  readonly nameOf: (control: Element) => string;
  /** The earliest instant, in event time, since which an element may be said to stand as it does. */
  readonly appearedAt: (element: Element) => number;
  /** The latest one: the page's own guard hears of a change after this watch, on a busy machine much later. */
  readonly standsSince: (element: Element) => number;
  /** From here on, what appears is fresh, and no click was heard yet. */
  readonly mark: () => void;
  readonly fresh: () => HTMLElement[];
  /** The controls that were clicked since the mark. */
  readonly clicked: () => HTMLElement[];
  /** Presses that would meet another control are kept from the page: the hand missed. Null ends that. */
  readonly aimAt: (control: HTMLElement | null) => void;
  readonly hasMissed: () => boolean;
  /** How many dialogs have opened so far. */
  readonly dialogs: () => number;
  /** The control that has the focus, and since when it stands and has it. */
  readonly inHand: () => { readonly control: HTMLElement; readonly since: number } | null;
}

declare global {
  interface Window {
    hands: Watch;
  }
}

/** Has every page of a context watched from its beginning, in the time of hands. */
export async function watchPresses(context: BrowserContext, seed: number): Promise<void> {
  await withHandTime(context, seed);
  await context.addInitScript(install);
}

function install(): void {
  const CONTROLS =
    'a[href],button,input,select,textarea,summary,label,[contenteditable],[role=button],[role=option]';
  /** A click only leads into them. */
  const FIELDS =
    'select,textarea,[contenteditable],input:not([type=checkbox],[type=radio],[type=file],[type=submit])';
  const isPressed = (element: Element) =>
    element.matches(CONTROLS) && !element.matches(`label,${FIELDS}`);
  const changed = new WeakMap<Node, { readonly first: number; readonly last: number }>();
  const now = () => new Event('now').timeStamp;
  let added: HTMLElement[] = [];
  let known = new Set<string>();
  let clicks: HTMLElement[] = [];
  let opened = 0;
  let aim: HTMLElement | null = null;
  let missed = false;
  let focusedAt = -Infinity;
  addEventListener('focusin', ({ timeStamp }) => (focusedAt = timeStamp), { capture: true });

  const isHtml = (node: unknown): node is HTMLElement => node instanceof HTMLElement;
  const controlOf = (element: Element | null): HTMLElement | null => {
    const found = element?.closest(CONTROLS);
    if (found instanceof HTMLLabelElement) return found.control;
    return isHtml(found) ? found : null;
  };
  const controlOfEvent = (event: Event) => {
    const [target] = event.composedPath();
    return target instanceof Element ? controlOf(target) : null;
  };
  const words = (element: Element | null | undefined) => element?.textContent?.trim() ?? '';
  const nameOf = (control: Element) => {
    const labels = 'labels' in control ? (control.labels as NodeListOf<Element> | null) : null;
    return [control.tagName, control.getAttribute('aria-label'), words(control), words(labels?.[0])]
      .filter(Boolean)
      .join(' ');
  };

  new MutationObserver((records) => {
    const first = now();
    const nodes = new Set<Node>();
    for (const { type, target, oldValue, addedNodes } of records) {
      if (type === 'attributes') {
        if ((target as Element).getAttribute('data-acts-on') !== oldValue) nodes.add(target);
      } else if (type === 'characterData' || addedNodes.length === 0) continue;
      for (const node of addedNodes) {
        if (!isHtml(node)) continue;
        nodes.add(node);
        opened += Number(node.matches('dialog')) + node.querySelectorAll('dialog').length;
        added.push(node);
      }
    }
    // After every other observer has heard of it.
    queueMicrotask(() => {
      for (const node of nodes) changed.set(node, { first, last: now() });
    });
  }).observe(document, {
    childList: true,
    subtree: true,
    attributeFilter: ['data-acts-on'],
    attributeOldValue: true,
  });

  // What gets the focus back is news to a hand.
  const { prototype } = HTMLDialogElement;
  const close: unknown = Reflect.get(prototype, 'close');
  prototype.close = function closeAndTell(...how) {
    if (typeof close === 'function') Reflect.apply(close, this, how);
    const { activeElement, body } = document;
    const at = now();
    if (activeElement !== null && activeElement !== body)
      changed.set(activeElement, { first: at, last: at });
  };

  const latest = (element: Element, which: 'first' | 'last') => {
    let at = -Infinity;
    for (let node: Node | null = element; node; node = node.parentNode)
      at = Math.max(at, changed.get(node)?.[which] ?? -Infinity);
    return at;
  };
  const controlsIn = (root: ParentNode) => [...root.querySelectorAll<HTMLElement>(CONTROLS)];

  for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click', 'keydown', 'keyup'])
    addEventListener(
      type,
      (event) => {
        if (aim === null || !event.isTrusted) return;
        if (type.endsWith('down') && event.target !== aim && controlOfEvent(event) !== aim)
          missed = true;
        if (!missed) return;
        event.preventDefault();
        event.stopImmediatePropagation();
      },
      { capture: true },
    );
  // The guard listens on the window: what comes to the document has passed it.
  document.addEventListener(
    'click',
    (event) => {
      const [target] = event.composedPath();
      const control = controlOfEvent(event);
      // The click of a label comes again, on its field.
      const isOfLabel = target instanceof Element && target.closest(CONTROLS) !== control;
      // A click only leads into a field.
      if (control && !isOfLabel && !control.matches(FIELDS)) clicks.push(control);
    },
    { capture: true },
  );

  window.hands = {
    controlOf,
    nameOf,
    appearedAt: (element) => latest(element, 'first'),
    standsSince: (element) => latest(element, 'last'),
    mark() {
      known = new Set(controlsIn(document).map((each) => nameOf(each)));
      added = [];
      clicks = [];
    },
    fresh: () =>
      [...new Set(added.flatMap((root) => [root, ...controlsIn(root)]))].filter(
        (each) => each.isConnected && isPressed(each) && !known.has(nameOf(each)),
      ),
    clicked: () => clicks,
    aimAt(control) {
      aim = control;
      if (control !== null) missed = false;
    },
    hasMissed: () => missed,
    dialogs: () => opened,
    inHand() {
      const { activeElement } = document;
      const control = controlOf(activeElement);
      if (control === null || control !== activeElement || !isPressed(control)) return null;
      return { control, since: Math.max(latest(control, 'last'), focusedAt) };
    },
  };
}
