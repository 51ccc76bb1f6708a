import { Button } from '@clinic/ui/button';
import { formHeaders } from '@clinic/ui/changed-elsewhere';
import { Dialog } from '@clinic/ui/dialog';
import { Notice } from '@clinic/ui/notice';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import { t } from '../../messages/t.ts';
import { ApiError, messageOf } from '@clinic/app/api-error';
import { request } from '../../api/service.ts';
import { takeUser, useUser } from '../../shared/session/session.ts';
import { useAction } from '../../shared/use-action.ts';
import { ContactFacts } from './profile-facts.tsx';

type Step =
  /** `isOvertaken`: another device has answered otherwise since. */
  | { readonly name: 'familyDoctor'; readonly isOvertaken?: boolean }
  | {
      readonly name: 'confirm';
      readonly familyDoctor: boolean;
      /** Of what was shown when the question was answered. */
      readonly formVersion: string | undefined;
    }
  | { readonly name: 'later' };

type Answered = Pick<Extract<Step, { name: 'confirm' }>, 'familyDoctor' | 'formVersion'>;

interface InformationFirstProps {
  onEdit: (familyDoctor: boolean) => void;
}

/**
 * For patients with `shouldUpdate`: asks about the family doctor, then has the information
 * confirmed or edited. Escape postpones this and leaves a notice with a button to continue.
 */
export function InformationFirst({ onEdit }: InformationFirstProps) {
  const user = useUser();
  const state = useHistoryState<unknown>();
  const queryClient = useQueryClient();
  const [step, setStep] = useState<Step>({ name: 'familyDoctor' });
  const send = ({ familyDoctor, formVersion }: Answered) =>
    request('confirmInformation', {
      headers: formHeaders(formVersion, ['familyDoc']),
      body: { shouldUpdate: false, familyDoc: familyDoctor, hasFamilyDoc: familyDoctor },
    });
  const confirm = useAction({
    work: send,
    async onFailed(error) {
      if (!(error instanceof ApiError) || error.status !== 409) return;
      await queryClient.invalidateQueries({ queryKey: ['me'] });
      setStep({ name: 'familyDoctor', isOvertaken: true });
    },
    onDone(updated) {
      takeUser(queryClient, updated);
      navigate('/', { state });
    },
  });
  const later = () => setStep({ name: 'later' });

  switch (step.name) {
    case 'later':
      return (
        <Notice kind="caution" role="status">
          <p>{t('account.toCheck')}</p>
          <div>
            <Button variant="secondary" onClick={() => setStep({ name: 'familyDoctor' })}>
              {t('account.checkNow')}
            </Button>
          </div>
        </Notice>
      );
    case 'familyDoctor': {
      const { formVersion } = user;
      const answer = (familyDoctor: boolean) =>
        setStep({ name: 'confirm', familyDoctor, formVersion });
      return (
        <Dialog
          key="family"
          title={t('account.familyQuestionTitle')}
          onClose={later}
          actions={
            <>
              <Button onClick={() => answer(true)}>{t('account.yes')}</Button>
              <Button variant="secondary" onClick={() => answer(false)}>
                {t('account.no')}
              </Button>
            </>
          }
        >
          {step.isOvertaken && (
            <Notice kind="caution" role="alert">
              {t('account.changedElsewhere')}{' '}
              {t('ui.savedNow', { label: t('account.familyDoctor') })}{' '}
              {t(user.familyDoc ? 'account.yes' : 'account.no')}
            </Notice>
          )}
          <p>{t('account.familyQuestion')}</p>
        </Dialog>
      );
    }
    case 'confirm':
      return (
        <Dialog
          key="confirm"
          size="large"
          title={t('account.confirmTitle')}
          onClose={confirm.pending ? undefined : later}
          actions={
            <>
              <Button
                busy={confirm.pending}
                busyLabel={t('account.confirming')}
                onClick={() => confirm.run(step)}
              >
                {t('account.confirmCorrect')}
              </Button>
              <Button
                variant="secondary"
                disabled={confirm.pending}
                onClick={() => onEdit(step.familyDoctor)}
              >
                {t('account.confirmEdit')}
              </Button>
            </>
          }
        >
          {confirm.error && (
            <Notice kind="danger" role="alert">
              {messageOf(confirm.error, t('account.serverError'))}
            </Notice>
          )}
          <p>{t('account.confirmText')}</p>
          <ContactFacts user={{ ...user, familyDoc: step.familyDoctor }} />
        </Dialog>
      );
  }
}
