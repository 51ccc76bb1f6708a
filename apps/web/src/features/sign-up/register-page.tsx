import { Card } from '@clinic/ui/card';
import { Notice } from '@clinic/ui/notice';
import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { t } from '../../messages/t.ts';
import { ResendConfirmation } from '../../shared/confirmation/resend-confirmation.tsx';
import { Page } from '../../shared/shell/page.tsx';
import './register-words.ts';
import styles from './register.module.css';
import { SignUpForm } from './sign-up-form.tsx';

/** Sign-up: the form, then what to do next. */
export function RegisterPage() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  if (sentTo === null)
    return (
      <Page title={t('register.title')} lead={t('register.intro')} screen="form">
        <p>
          {t('register.haveAccount')} <Link to="/login">{t('register.logIn')}</Link>
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
