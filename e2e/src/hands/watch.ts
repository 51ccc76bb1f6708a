import type { BrowserContext } from '@playwright/test';

import { type Clock, withHandTime } from './hand-time.ts';

/** What hands see of a control: where it is pressed, and since when it stands. */
export interface Seen {
  readonly name: string;
  readonly tag: string;
  readonly x: number;
  readonly y: number;
  /** Event time: at the earliest and at the latest. */
  readonly appeared: number;
  readonly since: number;
  /** It acts once on a double press. */
  readonly isOnce: boolean;
  /** Its form has a line in which Enter presses it. */
  readonly hasLine: boolean;
  /** Browsers hear no Space on a choice that is made. */
  readonly isChosen: boolean;
}

/** What a key met as it went down. */
export interface Met {
  readonly control: HTMLElement;
  readonly name: string;
  /** How long the control had stood, and had the focus. */
  readonly stoodMs: number;
}

/** What a page tells the hands. It hears each press before the page's own guard, and each click that passed it. */
export interface Watch {
  /** The control of an element: a label's is its field. */
  readonly controlOf: (element: Element | null) => HTMLElement | null;
  readonly nameOf: (control: Element) => string;
  /** Null where it cannot be pressed at this moment. */
  readonly see: (control: Element) => Seen | null;
  /** The same once it has stood so long: time passes until then. Null where it is gone, or covered for long. */
  readonly standing: (control: Element, stands: number, patienceMs: number) => Promise<Seen | null>;
  /** Marks, and aims at a control, once so much event time has come. */
  readonly ready: (
    control: Element,
    until: number,
    how: 'control' | 'focus' | 'line',
  ) => Promise<Clock>;
  /** One of the controls that a press of the wrong kind could make act. */
  readonly any: (share: number) => HTMLElement | null;
  /** The latest instant, in event time, since which an element may be said to stand as it does: the page's own guard hears of a change after this watch, on a busy machine much later. */
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
  /** What the last press of Enter met, where that was a control. */
  readonly met: () => Met | null;
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
  let met: Met | null = null;
  let enteredAt = -Infinity;
  addEventListener(
    'keydown',
    ({ key, isTrusted, repeat, timeStamp: at }) => {
      if (key !== 'Enter' || !isTrusted || repeat) return;
      const { activeElement } = document;
      const control = controlOf(activeElement);
      const since = control && Math.max(latest(control, 'last'), focusedAt, enteredAt);
      met =
        control === null || control !== activeElement || !isPressed(control)
          ? null
          : { control, name: nameOf(control), stoodMs: at - (since ?? at) };
      enteredAt = at;
    },
    { capture: true },
  );
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
  const words = (element: Element | false | null | undefined) =>
    (element && element.textContent?.trim()) || '';
  const nameOf = (control: Element) => {
    // To look for the labels of a button is to walk the whole page, and it has none.
    const labels = control.matches('input,select,textarea') && (control as HTMLInputElement).labels;
    return [
      control.tagName,
      control.getAttribute('aria-label'),
      words(control),
      words(labels && labels[0]),
    ]
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

  const see = (control: Element): Seen | null => {
    if (!control.isConnected || control.matches(':disabled,[aria-disabled=true]')) return null;
    control.scrollIntoView({ block: 'center', behavior: 'instant' });
    const isChoice = control.matches('[type=radio],[type=checkbox]');
    const label = isChoice ? (control as HTMLInputElement).labels?.[0] : null;
    const { left, top, width, height } = (label ?? control).getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    if (controlOf(document.elementFromPoint(x, y)) !== control) return null;
    const form = 'form' in control ? (control.form as HTMLFormElement | null) : null;
    const submits = form !== null && 'type' in control && control.type === 'submit';
    const line = submits ? form.querySelector(':is([type=text],[type=email]):enabled') : null;
    return {
      name: nameOf(control),
      tag: control.tagName,
      x,
      y,
      appeared: latest(control, 'first'),
      // The line may have come after its button.
      since: Math.max(...[control, line ?? control].map((each) => latest(each, 'last'))),
      isOnce: submits || (control as HTMLElement).dataset['actsOn'] !== undefined,
      isChosen: control.matches('[type=radio]:checked'),
      hasLine: line !== null,
    };
  };

  const aimAt = (control: HTMLElement | null) => {
    aim = control;
    if (control !== null) missed = false;
  };
  const mark = () => {
    window.handTime.work(true);
    known = new Set(controlsIn(document).map((each) => nameOf(each)));
    added = [];
    clicks = [];
  };

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
    see,
    async standing(control, stands, patienceMs) {
      window.handTime.work(true);
      const begun = performance.now();
      // So long answers of the service are late.
      let late = 3_000;
      while (control.isConnected && performance.now() < begun + patienceMs) {
        const seen = see(control);
        const left = (seen?.since ?? 0) + stands - now();
        if (seen && left <= 0) return seen;
        window.handTime.pass(seen ? left : Math.min(late, 200));
        late -= 200;
        await new Promise(requestAnimationFrame);
      }
      return null;
    },
    async ready(control, until, how) {
      window.handTime.pass(until - now());
      // What came meanwhile is drawn.
      await new Promise((drawn) => setTimeout(drawn));
      mark();
      const { form } = control as HTMLButtonElement;
      const line = form?.querySelector<HTMLElement>(':is([type=text],[type=email]):enabled');
      const on = how === 'line' && line ? line : (control as HTMLElement);
      if (how !== 'control') {
        // As Tab leads there: what the page itself gives the focus takes no key that comes at once.
        const tab = new KeyboardEvent('keydown', { key: 'Tab', bubbles: true });
        (document.activeElement ?? document.body).dispatchEvent(tab);
        on.focus();
      }
      aimAt(on);
      return window.handTime.clock();
    },
    any(share) {
      window.handTime.work(true);
      const shown = [
        ...document.querySelectorAll<HTMLElement>('a[href],button,[type=radio],[type=checkbox]'),
      ].filter((each) => each.checkVisibility({ visibilityProperty: true }) && see(each) !== null);
      return shown[Math.floor(share * shown.length)] ?? null;
    },
    standsSince: (element) => latest(element, 'last'),
    mark,
    fresh: () =>
      [...new Set(added.flatMap((root) => [root, ...controlsIn(root)]))].filter(
        (each) => each.isConnected && isPressed(each) && !known.has(nameOf(each)),
      ),
    clicked: () => clicks,
    aimAt,
    hasMissed: () => missed,
    dialogs: () => opened,
    met: () => met,
  };
}
