import { t } from '../messages/t.ts';
import styles from './language-switch.module.css';
import { useLanguageChoice } from './use-language-choice.ts';

/** Switches between the clinic's languages, each in its own name; nothing when there is only one. */
export function LanguageSwitch() {
  const choice = useLanguageChoice();
  if (choice === null) return null;
  return (
    <select
      className={styles.select}
      aria-label={t('shell.language')}
      value={choice.current}
      onChange={(event) => choice.choose(event.target.value)}
    >
      {choice.offered.map(({ id, name }) => (
        <option key={id} value={id} lang={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
