import { useMutation } from '@tanstack/react-query';
import { useEffect, useId, useState, type FormEvent } from 'react';
import { flushSync } from 'react-dom';
import type { RegistrationField } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { MONTHS } from '@clinic/ui/calendar-month';
import { Dialog } from '@clinic/ui/dialog';
import { ErrorSummary } from '@clinic/ui/error-summary';
import { ErrorTextsGone } from '@clinic/ui/field';
import { t } from '../../messages/t.ts';
import { clinicToday } from '../../api/clinic-today.ts';
import { CaptchaField } from '../../shared/captcha/captcha-field.tsx';
import { NO_BIRTH_DATE, type BirthDateParts } from '../../shared/fields/birth-date-field.tsx';
import { useFormErrors } from '../../shared/forms/form-errors.ts';
import { PharmacyPicker } from '../../shared/pharmacies/pharmacy-picker.tsx';
import { useStore } from '../../shared/store.ts';
import { failuresOf, problemsOf, signUp } from './register-calls.ts';
import styles from './register.module.css';
import { ageOf } from './sign-up-changes.ts';
import { EMPTY_SIGN_UP, signUpDraft, type SignUp } from './sign-up-draft.ts';
import {
  Consent,
  AboutYou,
  Group,
  WhereYouLive,
  HowToReachYou,
  LogInWith,
  HealthCard,
} from './sign-up-groups.tsx';

/** The long form of the sign-up. What is typed stays until the service has taken it. */
export function SignUpForm({ onSignedUp }: { onSignedUp: (email: string) => void }) {
  const typed = useStore(signUpDraft);
  const errors = useFormErrors<RegistrationField>(useId());
  const [recaptcha, setProof] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [checkingBirth, setCheckingBirth] = useState(false);
  useLeaveWarning(typed !== EMPTY_SIGN_UP);

  const register = useMutation({
    mutationFn: (proof: string) => signUp(typed, proof),
    onSuccess() {
      onSignedUp(typed.email.trim());
      signUpDraft.set(EMPTY_SIGN_UP);
    },
    onError(error) {
      errors.show(failuresOf(error));
      setAttempt((one) => one + 1);
    },
  });

  const change = (next: SignUp, ...mended: readonly RegistrationField[]) => {
    signUpDraft.set(next);
    errors.edited(...mended);
  };
  const isComplete = () => {
    const problems = problemsOf(typed, recaptcha !== null, clinicToday());
    errors.show(problems);
    return problems.length === 0;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!register.isPending && isComplete()) setCheckingBirth(true);
  };
  const confirmBirth = () => {
    setCheckingBirth(false);
    // The proof may have run out while the question stood.
    if (isComplete() && recaptcha !== null) register.mutate(recaptcha);
  };
  const cancelBirth = () => {
    flushSync(() => setCheckingBirth(false));
    change({ ...typed, birthDate: NO_BIRTH_DATE });
    document.getElementById(errors.idOf('birthDate'))?.focus();
  };

  const group = { typed, errors, change };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <ErrorSummary errors={errors.summary} attempt={errors.attempt} />
      <ErrorTextsGone value={errors.textsGone}>
        <AboutYou {...group} />
        <WhereYouLive {...group} />
        <HowToReachYou {...group} />
        <LogInWith {...group} />
        <HealthCard {...group} />
        <Group title={t('register.pharmacyTitle')}>
          <PharmacyPicker
            label={t('register.pharmacy')}
            optional
            value={typed.preferredPharmacy}
            onChange={(preferredPharmacy) => change({ ...typed, preferredPharmacy })}
          />
        </Group>
        <Consent {...group} />
        <CaptchaField
          id={errors.idOf('recaptcha')}
          error={recaptcha === null ? errors.errorOf('recaptcha') : null}
          attempt={attempt}
          onProof={setProof}
        />
      </ErrorTextsGone>
      <Button type="submit" wide busy={register.isPending} busyLabel={t('register.submitting')}>
        {t('register.submit')}
      </Button>
      {checkingBirth && (
        <BirthDateDialog
          birthDate={typed.birthDate}
          age={ageOf(typed.birthDate, clinicToday()) ?? 0}
          onConfirm={confirmBirth}
          onCancel={cancelBirth}
        />
      )}
    </form>
  );
}

/** A reload asks before it loses what was typed. */
function useLeaveWarning(typing: boolean): void {
  useEffect(() => {
    if (!typing) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [typing]);
}

interface BirthDateDialogProps {
  birthDate: BirthDateParts;
  age: number;
  onConfirm: () => void;
  onCancel: () => void;
}

/** A birth date is looked at twice, since the clinic knows its patients by it. */
function BirthDateDialog({ birthDate, age, onConfirm, onCancel }: BirthDateDialogProps) {
  const { day, month, year } = birthDate;
  const date = { month: MONTHS[Number(month) - 1] ?? '', day: Number(day), year };
  return (
    <Dialog
      title={t('register.ageTitle')}
      onClose={onCancel}
      actions={
        <>
          <Button onClick={onConfirm}>{t('register.ageConfirm')}</Button>
          <Button variant="secondary" onClick={onCancel}>
            {t('register.ageCancel')}
          </Button>
        </>
      }
    >
      <p className={styles.age}>
        {t('register.ageDate', date)}
        <br />
        {t('register.age', { age })}
      </p>
      <p>{t('register.ageHint')}</p>
    </Dialog>
  );
}
