import { useQueryClient } from '@tanstack/react-query';
import { announce } from './shell/alerts.tsx';
import { useConfig } from '../api/config.ts';
import { t } from '../messages/t.ts';
import { chooseLanguage, pageLanguage } from './language.ts';
import styles from './language-switch.module.css';
import { useSession } from './session/session.ts';
import { useStore } from './store.ts';

/** The languages that the clinic offers, each in its own words; nothing where there is one. */
export function LanguageSwitch() {
  const offered = useConfig()?.languages ?? [];
  const queryClient = useQueryClient();
  const signedIn = useSession().state === 'signedIn';
  const current = useStore(pageLanguage);
  if (offered.length < 2) return null;
  const choose = async (next: string) => {
    try {
      await chooseLanguage(next, signedIn);
      // What the service said, it said in the language of before.
      await queryClient.invalidateQueries();
    } catch {
      announce('error', t('ui.unreachable'));
    }
  };
  return (
    <select
      className={styles.select}
      aria-label={t('shell.language')}
      value={offered.some(({ id }) => id === current) ? current : 'en'}
      onChange={(event) => void choose(event.target.value)}
    >
      {offered.map(({ id, name }) => (
        <option key={id} value={id} lang={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
