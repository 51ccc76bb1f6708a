import type { ReactNode } from 'react';
import { t } from '../../messages/t.ts';
import { Page } from '../../shared/shell/page.tsx';
import styles from './account.module.css';
import { ChangePassword } from './change-password.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionList } from './session-list.tsx';

/** My Account. What other features add, such as messages, stands between profile and password. */
export function AccountPage({ children }: { children?: ReactNode }) {
  return (
    <Page title={t('account.title')}>
      <div className={styles.sections}>
        <ProfileSection />
        {children}
        <SignInSection />
      </div>
    </Page>
  );
}

/** The password, and where the patient is signed in. */
function SignInSection() {
  return (
    <section aria-labelledby="account-sign-in" className={styles.section}>
      <h2 id="account-sign-in">{t('account.signIn')}</h2>
      <ChangePassword />
      <SessionList />
    </section>
  );
}
