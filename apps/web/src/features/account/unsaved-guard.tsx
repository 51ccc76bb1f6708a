import { Button } from '@clinic/ui/button';
import { Dialog } from '@clinic/ui/dialog';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { t } from '../../messages/t.ts';

/**
 * While there is something to lose, a link within the app asks first, and the browser asks before
 * the page is closed or loaded anew. Answers where the patient wanted to go, and how to go or to
 * stay.
 */
export function useUnsavedGuard(unsaved: boolean): {
  readonly asked: boolean;
  readonly stay: () => void;
  readonly leave: () => void;
} {
  const navigate = useNavigate();
  const [to, setTo] = useState<string | null>(null);

  useEffect(() => {
    if (!unsaved) return;
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    // Before the router hears of it.
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (!(link instanceof HTMLAnchorElement) || !goesElsewhere(link, event)) return;
      event.preventDefault();
      event.stopPropagation();
      setTo(link.pathname + link.search + link.hash);
    };
    window.addEventListener('beforeunload', beforeUnload);
    document.addEventListener('click', onClick, { capture: true });
    return () => {
      window.removeEventListener('beforeunload', beforeUnload);
      document.removeEventListener('click', onClick, { capture: true });
    };
  }, [unsaved]);

  return {
    asked: to !== null,
    stay: () => setTo(null),
    leave() {
      setTo(null);
      if (to !== null) void navigate(to);
    },
  };
}

/** A plain press on a link to another page of the app, in this tab. */
function goesElsewhere(link: HTMLAnchorElement, event: MouseEvent): boolean {
  const plain =
    event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  const inThisTab = link.target === '' || link.target === '_self';
  const ours = link.origin === window.location.origin;
  return plain && inThisTab && ours && link.pathname !== window.location.pathname;
}

interface LeaveDialogProps {
  onStay: () => void;
  onLeave: () => void;
}

/** Between a stray press on a link and what was typed. */
export function LeaveDialog({ onStay, onLeave }: LeaveDialogProps) {
  return (
    <Dialog
      kind="alert"
      title={t('account.leaveTitle')}
      onClose={onStay}
      actions={
        <>
          <Button onClick={onStay}>{t('account.leaveStay')}</Button>
          <Button variant="secondary" onClick={onLeave}>
            {t('account.leaveGo')}
          </Button>
        </>
      }
    >
      <p>{t('account.leaveText')}</p>
    </Dialog>
  );
}
