import { ApiError, messageOf } from '@clinic/app/api-error';
import { useLeaveWarning } from '@clinic/app/drafts';
import { Form, useForm } from '@clinic/app/form';
import { useFormOver } from '@clinic/app/form-over';
import { Button } from '@clinic/ui/button';
import { Notice } from '@clinic/ui/notice';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { t } from '../../messages/t.ts';
import { request } from '../../api/service.ts';
import { takeUser, useUser } from '../../shared/session/session.ts';
import { announce } from '../../shared/shell/alerts.tsx';
import { useAction } from '../../shared/use-action.ts';
import { useDraft } from '../../shared/use-draft.ts';
import { QuestionDialog } from '../../shared/shell/question-dialog.tsx';
import styles from './account.module.css';
import {
  apiNameOf,
  bodyOf,
  differs,
  draftOf,
  formNameOf,
  wrongIn,
  PROFILE,
  type KeptProfile,
  type ProfileDraft,
} from './profile-draft.ts';
import { labelOf, useContactFacts } from './profile-facts.tsx';
import { ProfileFields } from './profile-fields.tsx';

interface ProfileFormProps {
  start: ProfileDraft;
  /** True when the patient had left and returns to an unsaved draft. */
  restored: boolean;
  onEnd: () => void;
}

/** Form for changing the profile: Update saves, Cancel discards. */
export function ProfileForm({ start, restored, onEnd }: ProfileFormProps) {
  const user = useUser();
  const queryClient = useQueryClient();
  const now = draftOf(user);
  const [kept, keep] = useDraft<KeptProfile | null>(PROFILE, null);
  const [opened] = useState<KeptProfile>({ base: now, typed: start });
  const over = useFormOver(now, user.formVersion, [kept ?? opened, keep]);
  const form = useForm(over.state, labelOf);
  const { draft } = over;
  const unsaved = differs(draft, now);
  const guard = useUnsavedGuard(unsaved);
  const facts = useContactFacts(user);

  const update = useAction({
    work: () =>
      request('updateMe', {
        headers: over.headers(over.typed.map(apiNameOf)),
        body: bodyOf(user, draft, over.typed),
      }),
    onDone(updated) {
      onEnd();
      takeUser(queryClient, updated);
      announce('success', t('account.updated'));
    },
    afterLeaving: (error) => t('account.profileLeft', { why: messageOf(error) }),
    onFailed(error) {
      // Another device has saved the same field: it is shown, to choose.
      if (error instanceof ApiError && error.status === 409)
        void queryClient.invalidateQueries({ queryKey: ['me'] });
      form.failed(error, messageOf(error, t('account.serverError')), formNameOf);
    },
  });
  return (
    <Form
      of={form}
      className={styles.form}
      pending={update.pending}
      check={() => [...over.toChoose, ...wrongIn(draft, user)]}
      onSend={update.run}
    >
      {restored && unsaved && <Notice role="status">{t('account.restored')}</Notice>}
      {!update.pending &&
        over.elsewhere({
          says: t('account.changedElsewhere'),
          shown: (name) => ({ label: labelOf(name), saved: facts[name] }),
          idOf: form.idOf,
          onChoose: () => form.edited(...over.conflicts),
        })}
      <ProfileFields form={form} />
      <div className={styles.actions}>
        <Button type="submit" busy={update.pending} busyLabel={t('account.updating')}>
          {t('account.update')}
        </Button>
        <Button variant="secondary" disabled={update.pending} onClick={onEnd}>
          {t('account.cancel')}
        </Button>
      </div>
      {guard.asked && (
        <LeaveDialog
          onStay={guard.stay}
          onLeave={() => {
            keep(null);
            guard.leave();
          }}
        />
      )}
    </Form>
  );
}

/**
 * While there are unsaved changes, a link within the app asks first, and the browser asks before
 * the page is closed or reloaded. Returns whether the question is open, and functions to leave or
 * stay.
 */
function useUnsavedGuard(unsaved: boolean): {
  readonly asked: boolean;
  readonly stay: () => void;
  readonly leave: () => void;
} {
  const [to, setTo] = useState<string | null>(null);
  useLeaveWarning(unsaved);

  // The router asks nobody before it leaves.
  useEffect(() => {
    if (!unsaved) return;
    // Capture the click before the router handles it.
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (!(link instanceof HTMLAnchorElement) || !goesElsewhere(link, event)) return;
      event.preventDefault();
      event.stopPropagation();
      setTo(link.pathname + link.search + link.hash);
    };
    document.addEventListener('click', onClick, { capture: true });
    return () => document.removeEventListener('click', onClick, { capture: true });
  }, [unsaved]);

  return {
    asked: to !== null,
    stay: () => setTo(null),
    leave() {
      setTo(null);
      if (to !== null) navigate(to);
    },
  };
}

/** True for a plain click on a link to another page of the app in this tab. */
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

/** Asks before a stray click on a link loses what was typed. */
function LeaveDialog({ onStay, onLeave }: LeaveDialogProps) {
  return (
    <QuestionDialog
      kind="alert"
      title={t('account.leaveTitle')}
      yes={t('account.leaveStay')}
      no={t('account.leaveGo')}
      onNo={onLeave}
      onClose={onStay}
    >
      <p>{t('account.leaveText')}</p>
    </QuestionDialog>
  );
}
