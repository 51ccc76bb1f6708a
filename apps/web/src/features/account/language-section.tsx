import { Card } from '@clinic/ui/card';
import { SelectField } from '@clinic/ui/select-field';
import { t } from '../../messages/t.ts';
import { useLanguageChoice } from '../../shared/use-language-choice.ts';
import styles from './account.module.css';

/** The language of the pages and of the emails, at once when it is chosen. */
export function LanguageSection() {
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
