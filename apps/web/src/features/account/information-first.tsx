import { Outcome } from '@clinic/app/outcome';
import { Button } from '@clinic/ui/button';
import { formHeaders } from '@clinic/ui/changed-elsewhere';
import { Notice } from '@clinic/ui/notice';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { navigate, useHistoryState } from 'wouter/use-browser-location';
import { t } from '../../messages/t.ts';
import { ApiError, messageOf } from '@clinic/app/api-error';
import { patientPages } from '@clinic/domain';
import { request } from '../../api/service.ts';
import { takeUser, useUser } from '../../shared/session/session.ts';
import { useAction } from '../../shared/use-action.ts';
import { QuestionDialog } from '../../shared/shell/question-dialog.tsx';
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
      navigate(patientPages.booking, { state });
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
        <QuestionDialog
          key="family"
          title={t('account.familyQuestionTitle')}
          yes={t('account.yes')}
          onYes={() => answer(true)}
          no={t('account.no')}
          onNo={() => answer(false)}
          onClose={later}
        >
          {step.isOvertaken && (
            <Notice kind="caution" role="alert">
              {t('account.changedElsewhere')}{' '}
              {t('ui.savedNow', { label: t('account.familyDoctor') })}{' '}
              {t(user.familyDoc ? 'account.yes' : 'account.no')}
            </Notice>
          )}
          <p>{t('account.familyQuestion')}</p>
        </QuestionDialog>
      );
    }
    case 'confirm':
      return (
        <QuestionDialog
          key="confirm"
          size="large"
          title={t('account.confirmTitle')}
          busy={confirm.pending}
          busyLabel={t('account.confirming')}
          yes={t('account.confirmCorrect')}
          onYes={() => confirm.run(step)}
          no={t('account.confirmEdit')}
          onNo={() => onEdit(step.familyDoctor)}
          onClose={later}
        >
          <Outcome of={confirm} why={(error) => messageOf(error, t('account.serverError'))} />
          <p>{t('account.confirmText')}</p>
          <ContactFacts user={{ ...user, familyDoc: step.familyDoctor }} />
        </QuestionDialog>
      );
  }
}
