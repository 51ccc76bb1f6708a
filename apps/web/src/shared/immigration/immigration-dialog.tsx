import { useQuery } from '@tanstack/react-query';
import type { ApiUser } from '@clinic/contract';
import type { MedicalProfile } from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { ChangedElsewhere } from '@clinic/ui/changed-elsewhere';
import { Dialog } from '@clinic/ui/dialog';
import { ErrorSummary } from '@clinic/ui/error-summary';
import { ErrorTextsGone } from '@clinic/ui/field';
import { LoadingState } from '@clinic/ui/page-states';
import { t } from '../../messages/t.ts';
import { ApplicationFields, PassportFields, PersonFields, ValueOf } from './immigration-fields.tsx';
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
  const form = useImmigrationForm(now, formVersion, onDone);
  const { profile, changed, conflicts, onChoose, errors, summary, pending, press, problem } = form;
  const { change, save } = form;
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
        {changed.length > 0 && !pending && (
          <ChangedElsewhere
            conflicts={conflicts.map((name) => ({
              name,
              label: t(`immigration.${name}`),
              saved: <ValueOf field={name} of={now} />,
            }))}
            idOf={errors.idOf}
            onChoose={onChoose}
          >
            {t('immigration.changedElsewhere')}
          </ChangedElsewhere>
        )}
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
