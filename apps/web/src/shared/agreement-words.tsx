import { shownAgreement } from '@clinic/contract/agreements';
import type { AgreementTextKind } from '@clinic/domain';
import { ENGLISH } from '@clinic/texts/languages';
import type { Locale } from '@clinic/texts/translate';
import { useConfig } from '../api/config.ts';
import { locale } from '../messages/t.ts';
import { TextOfRecord } from './text-of-record.tsx';

interface AgreementWordsProps {
  kind: AgreementTextKind;
  valuesIn: (language: Locale) => Parameters<typeof shownAgreement>[2];
}

/**
 * The text that the patient agrees to: the clinic's own, shown with its title, or the product's. A
 * clinic's text without a translation is shown in English..
 */
export function AgreementWords({ kind, valuesIn }: AgreementWordsProps) {
  const config = useConfig();
  const shownIn = (language: Locale) =>
    shownAgreement(language, kind, valuesIn(language), config?.agreements);
  const wordsIn = (language: Locale) => {
    const { isOwn, title, paragraphs } = shownIn(language);
    return (
      <>
        {isOwn && (
          <p>
            <strong>{title}</strong>
          </p>
        )}
        {paragraphs.map((paragraph, at) => (
          <p key={`${at} ${paragraph}`}>{paragraph}</p>
        ))}
      </>
    );
  };
  if (shownIn(locale()).language === locale()) return <TextOfRecord textIn={wordsIn} />;
  return (
    <div lang="en-CA" dir="ltr">
      {wordsIn(ENGLISH.id)}
    </div>
  );
}
