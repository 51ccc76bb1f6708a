import { Button } from '@clinic/ui/button';
import { ErrorSummary } from '@clinic/ui/error-summary';
import { ErrorTextsGone } from '@clinic/ui/field';
import { Notice } from '@clinic/ui/notice';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type FormEvent } from 'react';
import { t } from '../../messages/t.ts';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { request } from '../../api/service.ts';
import { useFormErrors } from '../../shared/forms/form-errors.ts';
import { takeUser, useUser } from '../../shared/session/session.ts';
import { announce } from '../../shared/shell/alerts.tsx';
import styles from './account.module.css';
import {
  keptProfile,
  differs,
  draftOf,
  updateOf,
  wrongByService,
  wrongIn,
  type DraftField,
  type ProfileDraft,
} from './profile-draft.ts';
import { ProfileFields } from './profile-fields.tsx';
import { LeaveDialog, useUnsavedGuard } from './unsaved-guard.tsx';

interface ProfileFormProps {
  start: ProfileDraft;
  /** The patient had left and comes back to what was typed. */
  restored: boolean;
  onEnd: () => void;
}

/** The form that changes the account: Update saves, Cancel drops. */
export function ProfileForm({ start, restored, onEnd }: ProfileFormProps) {
  const user = useUser();
  const queryClient = useQueryClient();
  const errors = useFormErrors<DraftField>(useId());
  const [draft, setDraft] = useState(start);
  const unsaved = differs(draft, draftOf(user));
  const guard = useUnsavedGuard(unsaved);

  const update = useMutation({
    mutationFn: () => request('updateMe', updateOf(user, draft)),
    onSuccess: (updated) => {
      keptProfile.keep(queryClient, null);
      onEnd();
      takeUser(queryClient, updated);
      announce('success', t('account.updated'));
    },
    onError: (error) => {
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
    if (update.isPending) return;
    const wrong = wrongIn(draft, user);
    errors.show(wrong);
    if (wrong.length === 0) update.mutate();
  };
  const change = (part: Partial<ProfileDraft>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    keptProfile.keep(queryClient, differs(next, draftOf(user)) ? next : null);
  };

  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {restored && unsaved && <Notice role="status">{t('account.restored')}</Notice>}
      <ErrorSummary errors={errors.summary} attempt={errors.attempt} />
      <ErrorTextsGone value={errors.textsGone}>
        <ProfileFields draft={draft} errors={errors} onChange={change} />
      </ErrorTextsGone>
      <div className={styles.actions}>
        <Button type="submit" busy={update.isPending} busyLabel={t('account.updating')}>
          {t('account.update')}
        </Button>
        <Button variant="secondary" disabled={update.isPending} onClick={onEnd}>
          {t('account.cancel')}
        </Button>
      </div>
      {guard.asked && (
        <LeaveDialog
          onStay={guard.stay}
          onLeave={() => {
            keptProfile.keep(queryClient, null);
            guard.leave();
          }}
        />
      )}
    </form>
  );
}
