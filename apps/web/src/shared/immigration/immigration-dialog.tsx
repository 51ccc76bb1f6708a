import { Form } from '@clinic/app/form';
import { useQuery } from '@tanstack/react-query';
import type { ApiUser } from '@clinic/contract';
import type { MedicalProfile } from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { LoadingState } from '@clinic/ui/page-states';
import { t } from '../../messages/t.ts';
import { QuestionDialog } from '../shell/question-dialog.tsx';
import {
  ApplicationFields,
  PassportFields,
  PersonFields,
  useWordsOf,
} from './immigration-fields.tsx';
import styles from './immigration.module.css';
import './immigration-words.ts';
import { profileQuery, firstProfile, useImmigrationForm } from './use-immigration-form.ts';

interface ImmigrationDialogProps {
  user: ApiUser;
  /** Called once the service has saved the profile. */
  onDone: () => void;
  /** Called on Back; what was typed is kept for the next time. */
  onBack: () => void;
}

const FORM = 'immigration-form';

/** Asks for the immigration exam profile before an appointment of type M or G is paid or booked. */
export function ImmigrationDialog({ user, onDone, onBack }: ImmigrationDialogProps) {
  const { data, isPending } = useQuery({ ...profileQuery, staleTime: Infinity });
  if (isPending)
    return (
      <QuestionDialog
        size="large"
        title={t('immigration.title')}
        yes={t('immigration.back')}
        onClose={onBack}
      >
        <LoadingState label={t('immigration.loading')} />
      </QuestionDialog>
    );
  return (
    <ImmigrationForm
      now={data?.profile ?? firstProfile(user)}
      formVersion={data?.formVersion}
      onDone={onDone}
      onBack={onBack}
    />
  );
}

interface ImmigrationFormProps {
  /** The profile as it was saved last, here or elsewhere, or as the account would begin it. */
  now: MedicalProfile;
  formVersion: string | undefined;
  onDone: () => void;
  onBack: () => void;
}

function ImmigrationForm({ now, formVersion, onDone, onBack }: ImmigrationFormProps) {
  const { form, over, saving, check, problem } = useImmigrationForm(now, formVersion, onDone);
  const { pending, press, run } = saving;
  const wordsOf = useWordsOf(now);
  return (
    <QuestionDialog
      size="large"
      title={t('immigration.title')}
      form={FORM}
      busy={pending}
      busyLabel={t('immigration.saving')}
      yes={t('immigration.save')}
      no={t('immigration.back')}
      onClose={onBack}
    >
      <p>{t('immigration.intro')}</p>
      <Form
        of={form}
        id={FORM}
        className={styles.form}
        pending={pending}
        check={check}
        onSend={run}
      >
        {!pending &&
          over.elsewhere({
            says: t('immigration.changedElsewhere'),
            shown: (name) => ({ label: t(`immigration.${name}`), saved: wordsOf(name) }),
            idOf: form.idOf,
            onChoose: () => form.edited(...over.conflicts),
          })}
        <PersonFields form={form} />
        <PassportFields form={form} />
        <ApplicationFields form={form} />
      </Form>
      <ActionOutcome press={press} title={problem}>
        {problem !== null && t('immigration.kept')}
      </ActionOutcome>
    </QuestionDialog>
  );
}
