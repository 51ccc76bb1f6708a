import { Button } from '@clinic/ui/button';
import { focusByPress } from '@clinic/ui/focus';
import { PasswordField } from '@clinic/ui/password-field';
import { QueryObserver, useQueryClient } from '@tanstack/react-query';
import { Activity, type ReactNode, useEffect, useRef } from 'react';
import { lockSettled, queryClient, sessionQuery, showSession } from '../../shared/api.ts';
import { Page } from '../../shared/page.tsx';
import { useSignOut } from '../../shared/sign-out.tsx';
import appStyles from '../../shared/app.module.css';
import { t } from '../../shared/words.ts';
import { UnlockForm } from './unlock-form.tsx';

interface LockableProps {
  isLocked: boolean;
  /** Name of the person whose session it is. */
  name: string;
  children: ReactNode;
}

/**
 * The screens of a session. While locked they are not drawn: no key, search, screen reader or
 * printer reaches them, and they neither call the service nor listen to it. Afterwards the input,
 * the open panels and the focus are restored.
 */
export function Lockable({ isLocked, name, children }: LockableProps) {
  const focused = useRef<HTMLElement>(null);
  useHeldQueries(isLocked);
  // The browser's focus is lost with what is hidden.
  useEffect(() => {
    if (!isLocked) return undefined;
    const before = focused.current;
    return () => focusByPress(before);
  }, [isLocked]);
  return (
    <>
      {isLocked && <LockScreen name={name} />}
      <Activity mode={isLocked ? 'hidden' : 'visible'}>
        <div
          className={appStyles.inside}
          onFocus={({ target }) => {
            focused.current = target;
          }}
        >
          {children}
        </div>
      </Activity>
    </>
  );
}

/**
 * Keeps the data of the screens behind the lock. Queries without an observer are dropped, some at
 * once, so these disabled observers hold them without fetching.
 */
function useHeldQueries(isLocked: boolean) {
  const queries = useQueryClient();
  // The cache is outside of React.
  useEffect(() => {
    if (!isLocked) return undefined;
    const stops = queries
      .getQueryCache()
      .getAll()
      .map(({ queryKey, options }) =>
        new QueryObserver(queries, { ...options, queryKey, enabled: false }).subscribe(() => {}),
      );
    return () => {
      for (const stop of stops) stop();
    };
  }, [isLocked, queries]);
}

function LockScreen({ name }: { name: string }) {
  const leave = useSignOut();
  return (
    <Page size="narrow">
      <h1>{t('desk.locked')}</h1>
      <p>{t('desk.lockedFor', { name })}</p>
      <UnlockForm
        does={t('desk.open')}
        doing={t('desk.opening')}
        before={lockSettled}
        onDone={({ extras }) => showSession(extras)}
        // They may be in.
        onFailed={() => void queryClient.invalidateQueries(sessionQuery)}
        also={leave.failed}
        leave={
          <Button variant="secondary" busy={leave.pending} onClick={() => leave.run()}>
            {t('desk.switchPerson')}
          </Button>
        }
      >
        {(wiring) => (
          <PasswordField {...wiring} ref={focusByPress} label={t('desk.secret')} maxLength={128} />
        )}
      </UnlockForm>
    </Page>
  );
}
