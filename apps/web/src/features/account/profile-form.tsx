import { Button } from '@clinic/ui/button';
import { ChangedElsewhere, choose, overNow, type } from '@clinic/ui/changed-elsewhere';
import { Dialog } from '@clinic/ui/dialog';
import { ErrorSummary } from '@clinic/ui/error-summary';
import { ErrorTextsGone } from '@clinic/ui/field';
import { Notice } from '@clinic/ui/notice';
import { useQueryClient } from '@tanstack/react-query';
import { useId, type FormEvent, useEffect, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { t } from '../../messages/t.ts';
import { ApiError, messageOf } from '@clinic/app/api-error';
import { request } from '../../api/service.ts';
import { useFormErrors } from '../../shared/forms/form-errors.ts';
import { takeUser, useUser } from '../../shared/session/session.ts';
import { announce } from '../../shared/shell/alerts.tsx';
import { useAction } from '../../shared/use-action.ts';
import { useDraft } from '../../shared/use-draft.ts';
import styles from './account.module.css';
import {
  differs,
  draftOf,
  updateOf,
  wrongByService,
  wrongIn,
  PROFILE,
  type DraftField,
  type KeptProfile,
  type ProfileDraft,
} from './profile-draft.ts';
import { useContactFacts } from './profile-facts.tsx';
import { labelOf, ProfileFields } from './profile-fields.tsx';

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
  const errors = useFormErrors<DraftField>(useId(), labelOf);
  const now = draftOf(user);
  const [kept, keep] = useDraft<KeptProfile>(PROFILE);
  const [opened] = useState<KeptProfile>({ base: now, typed: start });
  const { base, typed } = kept ?? opened;
  const over = overNow({ base, typed }, now);
  const { draft, changed, conflicts } = over;
  const unsaved = differs(draft, now);
  const guard = useUnsavedGuard(unsaved);
  const facts = useContactFacts(user);

  const update = useAction({
    work: () => request('updateMe', updateOf(user, draft, over.typed)),
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
      const fields = error instanceof ApiError ? wrongByService(error.fieldErrors) : [];
      errors.show(
        fields.length > 0
          ? fields
          : [{ field: null, message: messageOf(error, t('account.serverError')) }],
      );
    },
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (update.pending) return;
    const wrong = [
      ...conflicts.map((name) => ({ field: fieldOf(name), message: t('ui.chooseFirst') })),
      ...wrongIn(draft, user),
    ];
    errors.show(wrong);
    if (wrong.length === 0) update.run();
  };
  const change = (part: Partial<ProfileDraft>) => keep(type({ base, typed }, now, part));

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {restored && unsaved && <Notice role="status">{t('account.restored')}</Notice>}
      {changed.length > 0 && !update.pending && (
        <ChangedElsewhere
          conflicts={conflicts.map((name) => ({
            name,
            label: nameOfField(name),
            saved: facts.find(({ field }) => field === name)?.value,
          }))}
          idOf={(name) => (isDraftField(name) ? errors.idOf(name) : '')}
          onChoose={(name, choice) => {
            keep(choose({ base, typed }, now, name, choice));
            errors.edited(...conflicts.filter(isDraftField));
          }}
        >
          {t('account.changedElsewhere')}
        </ChangedElsewhere>
      )}
      <ErrorSummary errors={errors.summary} attempt={errors.attempt} />
      <ErrorTextsGone value={errors.textsGone}>
        <ProfileFields draft={draft} errors={errors} onChange={change} />
      </ErrorTextsGone>
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
    </form>
  );
}

const isDraftField = (name: keyof ProfileDraft): name is DraftField =>
  name !== 'familyDoctor' && name !== 'pharmacy';
const fieldOf = (name: keyof ProfileDraft) => (isDraftField(name) ? name : null);
const nameOfField = (name: keyof ProfileDraft) =>
  isDraftField(name) ? labelOf(name) : t(`account.${name}`);

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

  // The browser and the router ask nobody else before they leave.
  useEffect(() => {
    if (!unsaved) return;
    const beforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    // Capture the click before the router handles it.
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
