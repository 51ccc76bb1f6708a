import type { ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { t } from '../../messages/t.ts';
import { Page } from '../../shared/shell/page.tsx';
import styles from './account.module.css';
import { ChangePassword } from './change-password.tsx';
import { LanguageSection } from './language-section.tsx';
import { MyDataSection } from './my-data-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionList } from './session-list.tsx';

interface AccountPageProps {
  /** The view of the messages, which are a feature of their own. */
  messages?: ReactNode;
  /** How many of them are new. */
  unread?: number;
}

/** My Account, in two views: the information with the sign-in, and the messages. */
export function AccountPage({ messages, unread = 0 }: AccountPageProps) {
  const [query] = useSearchParams();
  const view = query.get('view') === 'messages' ? 'messages' : 'information';
  return (
    <Page title={t('account.title')} screen={view}>
      <nav aria-label={t('account.views')}>
        <ul className={styles.views}>
          <li>
            <Link to="/account" aria-current={view === 'information' ? 'page' : undefined}>
              {t('account.information')}
            </Link>
          </li>
          <li>
            <Link
              to="/account?view=messages"
              aria-current={view === 'messages' ? 'page' : undefined}
            >
              {t('shell.messages')}
              {unread > 0 && ` (${t('shell.newReplies', { count: unread })})`}
            </Link>
          </li>
        </ul>
      </nav>
      <div className={styles.sections}>
        {view === 'messages' ? (
          messages
        ) : (
          <>
            <ProfileSection />
            <LanguageSection />
            <MyDataSection />
            <SignInSection />
          </>
        )}
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
