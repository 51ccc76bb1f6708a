import { t } from '../../messages/t.ts';
import styles from './account.module.css';
import { ChangePassword } from './change-password.tsx';
import { SessionList } from './session-list.tsx';

/** The password, and where the patient is signed in. */
export function SignInSection() {
  return (
    <section aria-labelledby="account-sign-in" className={styles.section}>
      <h2 id="account-sign-in">{t('account.signIn')}</h2>
      <ChangePassword />
      <SessionList />
    </section>
  );
}
