import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Card } from '@clinic/ui/card';
import { SelectField } from '@clinic/ui/select-field';
import { Download } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { account } from '../../messages/en/account.ts';
import { myData } from '../../messages/en/my-data.ts';
import { loadMessages, t } from '../../messages/t.ts';
import { messageOf } from '@clinic/app/api-error';
import { pathTo } from '@clinic/app/path-to';
import { patientPages } from '@clinic/domain';
import { fetchFile } from '../../api/download.ts';
import { saveFile } from '@clinic/ui/save-file';
import { Page } from '../../shared/shell/page.tsx';
import { useAction } from '../../shared/use-action.ts';
import { useLanguageChoice } from '../../shared/use-language-choice.ts';
import styles from './account.module.css';
import { ChangePassword } from './change-password.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionList } from './session-list.tsx';

await loadMessages({ account, myData });

interface AccountPageProps {
  /** The messages view, which comes from the messages feature. */
  messages?: ReactNode;
  /** Number of unread messages. */
  unread?: number;
}

/** My Account with two views: the patient's information and sign-in, and the messages. */
export function AccountPage({ messages, unread = 0 }: AccountPageProps) {
  const [query] = useSearchParams();
  const view = query.get('view') === 'messages' ? 'messages' : 'information';
  return (
    <Page title={t('account.title')} screen={view}>
      <nav aria-label={t('account.views')}>
        <ul className={styles.views}>
          <li>
            <Link
              to={patientPages.account}
              aria-current={view === 'information' ? 'page' : undefined}
            >
              {t('account.information')}
            </Link>
          </li>
          <li>
            <Link
              to={pathTo(patientPages.account, {}, { view: 'messages' })}
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

/** Changes the password and lists the patient's sessions. */
function SignInSection() {
  return (
    <section aria-labelledby="account-sign-in" className={styles.section}>
      <h2 id="account-sign-in">{t('account.signIn')}</h2>
      <ChangePassword />
      <SessionList />
    </section>
  );
}

/** Sets the language of the pages and emails; a choice takes effect at once. */
function LanguageSection() {
  const choice = useLanguageChoice();
  if (choice === null) return null;
  return (
    <section aria-labelledby="account-language" className={styles.section}>
      <h2 id="account-language">{t('shell.language')}</h2>
      <Card className={styles.card}>
        <SelectField
          label={t('account.language')}
          value={choice.current}
          options={choice.offered.map(({ id, name }) => ({ value: id, label: name, lang: id }))}
          onChange={choice.choose}
        />
      </Card>
    </section>
  );
}

const FILE_NAME = 'my-clinic-data.zip';

/** Lets the patient download the data that is kept about them. */
function MyDataSection() {
  const id = useId();
  const download = useAction({
    work: async () => {
      const file = await fetchFile('exportData', {});
      if (file !== null) saveFile(file, FILE_NAME);
      return file !== null;
    },
  });
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id}>{t('myData.title')}</h2>
      <p>{t('myData.what')}</p>
      <ActionOutcome press={download.press}>
        {download.error && messageOf(download.error, t('myData.failed'))}
      </ActionOutcome>
      <Button
        variant="secondary"
        className={styles.start}
        icon={<Download size={18} aria-hidden="true" />}
        busy={download.pending}
        busyLabel={t('myData.preparing')}
        onClick={() => download.run()}
      >
        {t('myData.download')}
      </Button>
      <p role="status">{download.result && t('myData.done')}</p>
    </section>
  );
}
