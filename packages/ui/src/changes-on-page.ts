/** In event time: a press that comes sooner was meant for what had been there before. */
export const SETTLES_IN_MS = 150;

const isHtml = (node: Node): node is HTMLElement => node instanceof HTMLElement;

/** What event times are measured by. */
const now = () => new Event('now').timeStamp;

export interface ChangesOnPage {
  /**
   * Since when, in event time, an element and what it acts on have stood as they do. One that was made anew with the
   * same meaning is as old as the one that it replaced.
   */
  readonly standsSince: (element: Element) => number;
  /** What a control says and what stands around it: the same after it was made anew. */
  readonly meaningOf: (control: Element) => string;
  readonly end: () => void;
}

/** Remembers when elements appeared, and when `data-acts-on`, whom or what they act on, got another value. */
export function watchChanges(): ChangesOnPage {
  const changed = new WeakMap<Node, number>();
  const formerParents = new WeakMap<Node, Node>();
  let removed: { readonly root: Element; readonly at: number }[] = [];
  let last = -Infinity;
  const parentOf = (node: Node) => node.parentNode ?? formerParents.get(node) ?? null;

  const note = (records: readonly MutationRecord[]) => {
    if (records.length === 0) return;
    // Each batch is one repaint, and has an instant of its own.
    last = Math.max(now(), last + 0.001);
    removed = removed.filter(({ at }) => at > last - SETTLES_IN_MS);
    const before = new Set<Node>();
    for (const { type, target, oldValue, addedNodes, removedNodes } of records) {
      if (type === 'attributes' && (target as Element).getAttribute('data-acts-on') !== oldValue)
        changed.set(target, last);
      for (const node of removedNodes) {
        before.add(node);
        formerParents.set(node, target);
        if (isHtml(node)) removed.push({ root: node, at: last });
      }
      for (const node of addedNodes)
        // What only moved has not appeared.
        if (isHtml(node) && !before.has(node)) changed.set(node, last);
    }
  };
  const observer = new MutationObserver(note);
  observer.observe(document, {
    childList: true,
    subtree: true,
    attributeFilter: ['data-acts-on'],
    attributeOldValue: true,
  });

  const meaningOf = (control: Element): string => {
    const around: (string | undefined)[] = [];
    let heading: Element | null = null;
    for (let node: Node | null = control; node; node = parentOf(node)) {
      if (!isHtml(node)) continue;
      around.push(node.dataset['actsOn']);
      heading ??= node.querySelector('h1,h2,h3');
    }
    return JSON.stringify([
      control.tagName,
      control.textContent,
      ['type', 'name', 'value', 'href', 'aria-label'].map((name) => control.getAttribute(name)),
      heading?.textContent,
      around.filter((each) => each !== undefined),
    ]);
  };

  const changedAt = (element: Element): number => {
    let at = -Infinity;
    for (let node: Node | null = element; node; node = parentOf(node))
      at = Math.max(at, changed.get(node) ?? -Infinity);
    return at;
  };

  /** The control with the same meaning that the repaint at that instant removed. */
  const formerOf = (control: Element, instant: number): Element | undefined => {
    const roots = removed.filter(({ root, at }) => at === instant && !root.isConnected);
    if (roots.length === 0) return undefined;
    const meaning = meaningOf(control);
    return roots
      .flatMap(({ root }) => [root, ...root.querySelectorAll(control.tagName)])
      .find((each) => changedAt(each) < instant && meaningOf(each) === meaning);
  };

  return {
    standsSince(element) {
      note(observer.takeRecords());
      let since = changedAt(element);
      for (let former: Element | undefined = element; former;) {
        former = formerOf(former, since);
        if (former) since = changedAt(former);
      }
      return since;
    },
    meaningOf,
    end: () => observer.disconnect(),
  };
}
