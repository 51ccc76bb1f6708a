import { createStore, useStore } from '@clinic/app/store';
import { Button } from '@clinic/ui/button';
import { Dialog } from '@clinic/ui/dialog';
import { Notice } from '@clinic/ui/notice';
import { type ComponentProps, useEffect } from 'react';
import type { NavigateOptions, Path } from 'wouter';
import { t } from './words.ts';

/*
 * A change that is under way keeps its dialog, or its form if that says so, until the outcome is told there:
 * nothing closes it, links and Back go nowhere, and the browser asks before the page is closed. Of other
 * changes the page that was gone to tells what failed.
 */

// Module state, as the listeners below and the router's are the page's, not a component's.
/** How many changes are under way. */
const changes = createStore(0);
/** How many dialogs and forms stay for as long. */
let stayers = 0;
/** Whether somebody tried to leave meanwhile. */
const isHeld = createStore(false);
/** The address to which Back and Forward return. */
let stays = { href: '', state: null as unknown };

/** Does the work of a change, which keeps its page until then. */
export async function whileUnderWay<Result>(work: () => Promise<Result>): Promise<Result> {
  if (changes.get() === 0) stays = { href: location.href, state: history.state };
  changes.set(changes.get() + 1);
  try {
    return await work();
  } finally {
    changes.set(changes.get() - 1);
    if (changes.get() === 0) isHeld.set(false);
  }
}

/** Whether the page has to stay; if so, it says why. */
function staysHere(): boolean {
  if (changes.get() === 0 || stayers === 0) return false;
  isHeld.set(true);
  return true;
}

/** For the router: links go nowhere while a change is under way. */
export function unlessUnderWay(
  navigate: (to: Path, options?: NavigateOptions) => void,
  to: Path,
  options?: NavigateOptions,
) {
  if (!staysHere()) navigate(to, options);
}

addEventListener(
  'popstate',
  (event) => {
    if (!staysHere()) return;
    event.stopImmediatePropagation();
    history.pushState(stays.state, '', stays.href);
  },
  { capture: true },
);
addEventListener('beforeunload', (event) => {
  if (changes.get() > 0) event.preventDefault();
});

const useIsUnderWay = () => useStore(changes) > 0;

/** Says why the page stays, once somebody tried to leave it. */
export function WhyItStays() {
  const says = useStore(isHeld);
  return (
    says && (
      <Notice kind="caution" role="status">
        <p>{t('desk.underWay')}</p>
      </Notice>
    )
  );
}

/** Keeps what calls it on the page while a change is under way. */
export function useStays(): void {
  // The router and the window ask from outside of React.
  useEffect(() => {
    stayers += 1;
    return () => void (stayers -= 1);
  }, []);
}

interface DeskDialogProps extends ComponentProps<typeof Dialog> {
  /** It can be left all the same: the change itself asks it, or is told beside it. */
  canBeLeft?: boolean;
}

/** A dialog that stays open while a change is under way. */
export function DeskDialog({ onClose, canBeLeft = false, ...rest }: DeskDialogProps) {
  useStays();
  const stays = useIsUnderWay() && !canBeLeft;
  return <Dialog {...rest} onClose={stays ? undefined : onClose} />;
}

/** Leaves a dialog or a form, but not while a change is under way. */
export function LeaveButton(props: ComponentProps<typeof Button>) {
  return <Button variant="secondary" {...props} disabled={useIsUnderWay()} />;
}
