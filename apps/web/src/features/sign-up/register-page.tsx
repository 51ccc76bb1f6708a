import { messageOf } from '@clinic/app/api-error';
import { useLeaveWarning } from '@clinic/app/drafts';
import { Form, useForm } from '@clinic/app/form';
import { calendarDate, NO_DATE, type DateParts, patientPages } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { formatLongDate } from '@clinic/texts';
import { Card } from '@clinic/ui/card';
import { focusByPress } from '@clinic/ui/focus';
import { Notice } from '@clinic/ui/notice';
import { useQueryClient } from '@tanstack/react-query';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'wouter';
import { locale, t } from '../../messages/t.ts';
import { clinicToday } from '../../api/clinic-today.ts';
import { configQuery, useConfig } from '../../api/config.ts';
import { CaptchaField } from '../../shared/captcha/captcha-field.tsx';
import { useCaptcha } from '../../shared/captcha/use-captcha.ts';
import { ResendConfirmation } from '../../shared/confirmation/resend-confirmation.tsx';
import { PharmacyPicker } from '../../shared/pharmacies/pharmacy-picker.tsx';
import { Page } from '../../shared/shell/page.tsx';
import { QuestionDialog } from '../../shared/shell/question-dialog.tsx';
import { useAction } from '../../shared/use-action.ts';
import { useDraft } from '../../shared/use-draft.ts';
import { failuresOf, isConsentRefused, problemsOf, signUp } from './register-calls.ts';
import './register-words.ts';
import styles from './register.module.css';
import { ageOf } from './sign-up-changes.ts';
import { EMPTY_SIGN_UP, type SignUp } from './sign-up-draft.ts';
import {
  Consent,
  AboutYou,
  Group,
  WhereYouLive,
  HowToReachYou,
  LogInWith,
  HealthCard,
} from './sign-up-groups.tsx';

/** Sign-up: the form, then what to do next. */
export function RegisterPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo === null)
    return (
      <Page title={t('register.title')} lead={t('register.intro')} screen="form">
        <p>
          {t('register.haveAccount')} <Link to={patientPages.login}>{t('register.logIn')}</Link>
        </p>
        <SignUpForm onSignedUp={setSentTo} />
      </Page>
    );
  return (
    <Page
      title={t('register.doneTitle')}
      width="narrow"
      screen="done"
      before={<MailCheck size={48} aria-hidden="true" className={styles.mark} />}
    >
      <Notice kind="good" role="status">
        <p>{t('register.done', { email: sentTo })}</p>
        <p>{t('register.doneNext')}</p>
      </Notice>
      <Card className={styles.done}>
        <p>{t('register.doneNothing')}</p>
        <ResendConfirmation email={sentTo} />
      </Card>
    </Page>
  );
}

/** The sign-up form. What is typed is kept until the service has accepted it. */
function SignUpForm({ onSignedUp }: { onSignedUp: (email: string) => void }) {
  // The draft outlives the page, so that a look at the walk-in hours loses nothing; a reload drops it.
  const [typed, keep] = useDraft('signUp', EMPTY_SIGN_UP);
  const form = useForm<SignUp, 'phones' | 'recaptcha'>([typed, keep]);
  const captcha = useCaptcha();
  const [checkingBirth, setCheckingBirth] = useState(false);
  useLeaveWarning(typed !== EMPTY_SIGN_UP);

  const config = useConfig();
  const queryClient = useQueryClient();
  const register = useAction({
    work: (proof: string) => signUp(typed, proof, config),
    onDone() {
      onSignedUp(typed.email.trim());
      keep(EMPTY_SIGN_UP);
    },
    afterLeaving: (error) => t('register.left', { why: messageOf(error) }),
    onFailed(error) {
      form.show(failuresOf(error));
      if (isConsentRefused(error)) {
        // The new text needs a new consent.
        keep((now) => ({ ...now, consent: false }));
        void queryClient.refetchQueries({ queryKey: configQuery.queryKey });
      }
      captcha.renew();
    },
  });

  const check = () => problemsOf(typed, captcha.proof !== null, clinicToday());
  const confirmBirth = () => {
    setCheckingBirth(false);
    // The proof may have expired while the question was open.
    const problems = check();
    form.show(problems);
    if (problems.length === 0 && captcha.proof !== null) register.run(captcha.proof);
  };
  const cancelBirth = () => {
    flushSync(() => setCheckingBirth(false));
    form.change({ birthDate: NO_DATE });
    focusByPress(document.getElementById(form.idOf('birthDate')));
  };

  return (
    <Form
      of={form}
      className={styles.form}
      pending={register.pending}
      check={check}
      onSend={() => setCheckingBirth(true)}
    >
      <AboutYou form={form} />
      <WhereYouLive form={form} />
      <HowToReachYou form={form} />
      <LogInWith form={form} />
      <HealthCard form={form} />
      <Group title={t('register.pharmacyTitle')}>
        <PharmacyPicker
          {...form.field('preferredPharmacy')}
          label={t('register.pharmacy')}
          optional
        />
      </Group>
      <Consent {...form.field('consent')} birthDate={typed.birthDate} />
      <CaptchaField of={form} captcha={captcha} />
      <Button type="submit" wide busy={register.pending} busyLabel={t('register.submitting')}>
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
    </Form>
  );
}

interface BirthDateDialogProps {
  birthDate: DateParts;
  age: number;
  onConfirm: () => void;
  onCancel: () => void;
}

/** Has the birth date confirmed, as the clinic identifies its patients by it. */
function BirthDateDialog({ birthDate, age, onConfirm, onCancel }: BirthDateDialogProps) {
  const { year, month, day } = birthDate;
  const date = calendarDate(year, month, day);
  return (
    <QuestionDialog
      title={t('register.ageTitle')}
      yes={t('register.ageConfirm')}
      onYes={onConfirm}
      no={t('register.ageCancel')}
      onClose={onCancel}
    >
      <p className={styles.age}>
        {date && formatLongDate(locale(), date)}
        <br />
        {t('register.age', { age })}
      </p>
      <p>{t('register.ageHint')}</p>
    </QuestionDialog>
  );
}
