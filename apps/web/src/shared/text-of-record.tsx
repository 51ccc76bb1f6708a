import { ENGLISH } from '@clinic/texts/languages';
import type { Locale } from '@clinic/texts/translate';
import type { ReactNode } from 'react';
import { legal } from '../messages/en/legal.ts';
import { loadMessages, locale, t } from '../messages/t.ts';
import styles from './text-of-record.module.css';

// Several features show legal texts, so this component loads its own words.
await loadMessages({ legal });

/**
 * A legal text in the page's language. A translation says that the English text is binding, and
 * includes it..
 */
export function TextOfRecord({ textIn }: { textIn: (locale: Locale) => ReactNode }) {
  const shown = locale();
  if (shown === ENGLISH.id) return textIn(shown);
  return (
    <>
      <p>{t('legal.englishHolds')}</p>
      <details className={styles.english}>
        <summary>{t('legal.inEnglish')}</summary>
        <div lang="en-CA" dir="ltr">
          {textIn(ENGLISH.id)}
        </div>
      </details>
      {textIn(shown)}
    </>
  );
}
