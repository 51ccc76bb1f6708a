import { SETTLES_IN_MS, watchChanges } from './changes-on-page.ts';

/** Pointer movement below this many pixels counts as none, as hands shake. */
const SHAKES_BY = 5;

const CONTROLS =
  'a[href],area[href],button,input,select,textarea,summary,label,[contenteditable],[role=button],[role=option]';
/** What is typed into or chosen from; a click only leads into it. */
const FIELDS =
  'select,textarea,[contenteditable],input:not([type=checkbox],[type=radio],[type=file],[type=submit],[type=image],[type=button],[type=reset])';
/** What acts as the pointer goes down and up on it, without a click. */
const DRAWN = '[role=grid] td';
const OF_LINES = 'textarea,[contenteditable]';
const MODIFIER = /^(Shift|Control|Alt|Meta|Caps)/;
const MOVES_OR_ERASES = /^(Arrow|Page|Home|End|Tab|Backspace|Delete)/;

interface Press {
  readonly event: MouseEvent | KeyboardEvent;
  readonly control: HTMLElement | null;
  readonly meaning: string;
  /** It clicks no more, whatever the browser makes of it. */
  isDropped?: boolean;
  hasClicked?: boolean;
}

/** What the last press met; once the second half of one was dropped, still what its first half met. */
interface Met {
  readonly control: HTMLElement | null;
  readonly meaning: string;
  readonly words: string;
  readonly at: number;
  readonly clicks: number;
  readonly hasActed: boolean;
}
const NOTHING: Met = {
  control: null,
  meaning: '',
  words: '',
  at: -Infinity,
  clicks: 0,
  hasActed: false,
};

/** Whether the last press was an act. The document has one last press, whatever component was pressed. */
let isAct = true;

/** False once something else was pressed: only from the press that asked for it does an outcome take the focus. */
export const isLastPressAnAct = (): boolean => isAct;

/** To be called before an outcome is shown: whether the press that asked for it is still the last one. */
export function outcomeComes({ isAwaited }: { isAwaited: boolean }): void {
  isAct = isAwaited;
}

const isHtml = (node: unknown): node is HTMLElement => node instanceof HTMLElement;

/** The control that an event belongs to; a label's is its field. */
function controlOf(event: Event): HTMLElement | null {
  const found = event.composedPath().find((node) => isHtml(node) && node.matches(CONTROLS));
  if (found instanceof HTMLLabelElement) return found.control;
  return isHtml(found) ? found : null;
}

const formOf = (control: Element | null) =>
  control && 'form' in control && control.form instanceof HTMLFormElement ? control.form : null;

const submits = (control: Element) =>
  formOf(control) !== null && 'type' in control && /^(submit|image)$/.test(String(control.type));

/** The button that Enter in a field presses. */
const submitterOf = (field: Element | null) =>
  [...(formOf(field)?.elements ?? [])].find((each) => submits(each));

/** What a control itself says and names: of one that does now this and now the opposite, which of them. */
const wordsOf = (control: HTMLElement) =>
  `${control.textContent} ${control.getAttribute('aria-label') ?? ''} ${control.dataset['actsOn'] ?? ''}`;

const dialogOf = (node: EventTarget | null) => (isHtml(node) ? node.closest('dialog') : null);

/**
 * Judges each press of the page before anything else hears of it (docs/visual.md#presses). Returns what ends it.
 */
export function guardPresses(): () => void {
  const { standsSince, meaningOf, end } = watchChanges();
  const firstDown = new Map<string, KeyboardEvent>();
  /** The presses of Enter and Space that are held. */
  const held = new Map<string, Press>();
  let lastKey = '';
  let pointer: Press | undefined;
  let hasMouse = false;
  let lastMet = NOTHING;
  let isOurs = false;
  /** The pointer or a key that moves was last: the focus goes where the hand leads it. */
  let isLed = false;
  /** What the page itself gave the focus, until the hand leads on. */
  let given: { readonly to: EventTarget | null; readonly at: number } | undefined;

  const pressOf = (event: MouseEvent | KeyboardEvent): Press => {
    const control = controlOf(event);
    return { event, control, meaning: control ? meaningOf(control) : '' };
  };
  const isTooSoon = (element: Element, { event }: Press) =>
    event.timeStamp < standsSince(element) + SETTLES_IN_MS;

  /**
   * What names its own subject, and what sends a form, acts once on a double press. The second half of one acts on
   * nothing that has moved there, or says something else, since the first, whether that acted or not.
   */
  function mayAct(control: HTMLElement, press: Press, clicks: number): boolean {
    const { timeStamp: at } = press.event;
    const [meaning, words, before] = [meaningOf(control), wordsOf(control), lastMet];
    const isInTime = !isTooSoon(control, press);
    const isHalf = clicks > 1 && before.clicks === clicks - 1;
    const isAgain = isHalf || (clicks === 0 && at < before.at + SETTLES_IN_MS);
    const isAnother =
      before.control === control
        ? isAgain && before.words !== words
        : isHalf && before.meaning !== meaning;
    lastMet =
      isAnother || (isHalf && !isInTime)
        ? { ...before, clicks }
        : { control, meaning, words, at, clicks, hasActed: isInTime };
    if (isAnother || !isInTime) return false;
    // One that was made anew is the same.
    const isSame =
      before.control === control || (!before.control?.isConnected && before.meaning === meaning);
    const isOnce = control.dataset['actsOn'] !== undefined || submits(control);
    return !(isAgain && isSame && isOnce && before.hasActed);
  }

  /** Clicks for a press whose control was made anew, or moved from under it, before it was released. */
  function clickInPlace(press: Press | undefined, event: MouseEvent | KeyboardEvent) {
    const beneath = controlOf(event);
    if (!press?.control || press.isDropped || beneath === press.control) return;
    const { event: down, control, meaning } = press;
    const stays =
      down instanceof MouseEvent &&
      event instanceof MouseEvent &&
      Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < SHAKES_BY;
    const isAnew = beneath !== null && meaningOf(beneath) === meaning;
    const heir = control.isConnected ? stays && control : isAnew && beneath;
    if (!heir || heir.matches(FIELDS) || dialogOf(heir) !== dialogOf(event.target)) return;
    press.isDropped = true;
    queueMicrotask(() => {
      if (!mayAct(heir, press, event.detail)) return;
      isOurs = true;
      heir.click();
      isOurs = false;
    });
  }

  function lead() {
    isLed = true;
    given = undefined;
  }

  function onDown(event: MouseEvent) {
    lead();
    if (event.button !== 0) return;
    isAct = false;
    const drawn = isHtml(event.target) ? event.target.closest(DRAWN) : null;
    if (drawn && event.timeStamp < standsSince(drawn) + SETTLES_IN_MS)
      event.stopImmediatePropagation();
    const isMouse = event.type === 'mousedown';
    // A pointer's mouse events follow its own; screen readers send them alone.
    if (!isMouse || hasMouse || !pointer) pointer = pressOf(event);
    hasMouse = isMouse;
  }

  function onCancel() {
    if (pointer) pointer = { ...pointer, isDropped: true };
  }

  function onUp(event: MouseEvent) {
    if (event.button === 0) clickInPlace(pointer, event);
  }

  function onKeyDown(event: KeyboardEvent) {
    const { key, target } = event;
    if (event.isComposing || MODIFIER.test(key)) return;
    const presses = key === 'Enter' || key === ' ';
    const field = isHtml(target) && target.matches(FIELDS) ? target : null;
    const isCommand = event.ctrlKey || event.metaKey;
    const writes = key === 'Enter' ? field?.matches(OF_LINES) : field && key.length === 1;
    isAct = presses && (isCommand || !writes);
    isLed = false;
    if (MOVES_OR_ERASES.test(key)) lead();
    if (isLed || (writes && !isCommand)) return;
    if (event.repeat) {
      event.stopImmediatePropagation();
      // A held Space still scrolls, and what the page has kept from the browser stays kept.
      const isOnControl = presses && controlOf(event) !== null;
      if (isOnControl || key === 'Escape' || firstDown.get(key)?.defaultPrevented)
        event.preventDefault();
      return;
    }
    firstDown.set(key, event);
    if (!presses && (isCommand || key.length > 1)) return;
    const press = pressOf(event);
    if (presses) held.set(key, press);
    lastKey = key;
    const on = [press.control ?? target, key === 'Enter' && submitterOf(field)];
    const isGiven = given?.to === target && event.timeStamp < given.at + SETTLES_IN_MS;
    press.isDropped = isGiven || on.some((each) => isHtml(each) && isTooSoon(each, press));
    if (press.isDropped) stop(event);
  }

  function onKeyUp(event: KeyboardEvent) {
    const { key } = event;
    const press = held.get(key);
    if (!press) return;
    lastKey = key;
    if (key === 'Enter') held.delete(key);
    else {
      clickInPlace(press, event);
      // The click of Space comes in the same task, after this event.
      setTimeout(() => held.get(key) === press && held.delete(key));
    }
  }

  /** A key that comes at once was not meant for what the page has given the focus. */
  function onFocus({ target, timeStamp: at }: Event) {
    if (!isLed) given = { to: target, at };
  }

  function onClick(event: MouseEvent) {
    isLed = false;
    const control = controlOf(event);
    const { detail } = event;
    if (isOurs) return;
    if (control === null || control.matches(FIELDS)) {
      if (detail > 0 && !pointer?.isDropped) lastMet = { ...NOTHING, clicks: detail };
      return;
    }
    const press = detail === 0 ? held.get(lastKey) : pointer;
    isAct = true;
    // A click without pointer or key, such as a screen reader's, voice control's or the page's own.
    if (!press || (detail === 0 && press.hasClicked)) return;
    if (press.event.isTrusted && !event.isTrusted) return;
    const { event: down } = press;
    const isOn =
      press.control === control ||
      (lastKey === 'Enter' &&
        detail === 0 &&
        submits(control) &&
        formOf(control) === formOf(press.control)) ||
      // Browsers lead a finger that went down beside a small control to it.
      (press.control === null && down instanceof PointerEvent && down.pointerType === 'touch');
    if (!press.isDropped && isOn && mayAct(control, press, detail)) press.hasClicked = true;
    else stop(event);
  }

  /** What is released elsewhere is not heard of here. */
  function onLeave({ target }: Event) {
    if (target === window) held.clear();
  }

  const listeners: [string, (event: never) => void][] = [
    ['pointerdown', onDown],
    ['mousedown', onDown],
    ['pointercancel', onCancel],
    ['mouseup', onUp],
    ['keydown', onKeyDown],
    ['keyup', onKeyUp],
    ['click', onClick],
    ['focusin', onFocus],
    ['blur', onLeave],
  ];
  for (const [type, listen] of listeners)
    addEventListener(type, listen as EventListener, { capture: true });
  return () => {
    end();
    for (const [type, listen] of listeners)
      removeEventListener(type, listen as EventListener, { capture: true });
  };
}

function stop(event: Event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}
