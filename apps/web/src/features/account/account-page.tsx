import type { ReactNode } from 'react';
import { t } from '../../messages/t.ts';
import { Page } from '../../shared/ui/page.tsx';
import styles from './account.module.css';
import { ProfileSection } from './profile-section.tsx';
import { SignInSection } from './sign-in-section.tsx';

/** §2 My Account. What other features add, such as messages, stands between profile and password. */
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
