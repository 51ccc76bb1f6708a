import { shownAgreement } from '@clinic/contract/agreements';
import type { ClinicConfig } from '@clinic/contract';
import type { AgreementTextKind } from '@clinic/domain';
import { ENGLISH } from '@clinic/texts/languages';
import type { Locale } from '@clinic/texts/translate';
import { locale } from '../messages/t.ts';
import { TextOfRecord } from './text-of-record.tsx';

interface AgreementWordsProps {
  kind: AgreementTextKind;
  config: ClinicConfig | null;
  valuesIn: (language: Locale) => Parameters<typeof shownAgreement>[2];
}

/**
 * What the patient agrees to: the clinic's own text, which has a title of its own, or that of the
 * product. Where nobody has translated the clinic's, it is read in English..
 */
export function AgreementWords({ kind, config, valuesIn }: AgreementWordsProps) {
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
