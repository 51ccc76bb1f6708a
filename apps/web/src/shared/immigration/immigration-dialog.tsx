import { useQuery } from '@tanstack/react-query';
import type { ApiUser } from '@clinic/contract';
import type { MedicalProfile } from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Dialog } from '@clinic/ui/dialog';
import { ErrorSummary } from '@clinic/ui/error-summary';
import { ErrorTextsGone } from '@clinic/ui/field';
import { LoadingState } from '@clinic/ui/page-states';
import { t } from '../../messages/t.ts';
import { ApplicationFields, PassportFields, PersonFields } from './immigration-fields.tsx';
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
      <Dialog size="large" title={t('immigration.title')} onClose={onBack}>
        <LoadingState label={t('immigration.loading')} />
      </Dialog>
    );
  return <ImmigrationForm start={data ?? firstProfile(user)} onDone={onDone} onBack={onBack} />;
}

interface ImmigrationFormProps {
  start: MedicalProfile;
  onDone: () => void;
  onBack: () => void;
}

function ImmigrationForm({ start, onDone, onBack }: ImmigrationFormProps) {
  const form = useImmigrationForm(start, onDone);
  const { profile, errors, summary, pending, press, problem, change, save } = form;
  const fields = { profile, errors, change };
  return (
    <Dialog
      size="large"
      title={t('immigration.title')}
      onClose={pending ? undefined : onBack}
      actions={
        <>
          <Button type="submit" form={FORM} busy={pending} busyLabel={t('immigration.saving')}>
            {t('immigration.save')}
          </Button>
          <Button variant="secondary" disabled={pending} onClick={onBack}>
            {t('immigration.back')}
          </Button>
        </>
      }
    >
      <ErrorTextsGone value={errors.textsGone}>
        <ErrorSummary errors={summary} attempt={errors.attempt} />
        <p>{t('immigration.intro')}</p>
        <form
          id={FORM}
          className={styles.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            save();
          }}
        >
          <PersonFields {...fields} />
          <PassportFields {...fields} />
          <ApplicationFields {...fields} />
        </form>
        <ActionOutcome press={press} title={problem}>
          {problem !== null && t('immigration.kept')}
        </ActionOutcome>
      </ErrorTextsGone>
    </Dialog>
  );
}
