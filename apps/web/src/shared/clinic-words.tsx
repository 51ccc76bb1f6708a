import type { ReactNode } from 'react';

/** What the clinic typed and nobody translated, marked with the language of the record.. */
export function ClinicWords({ children }: { children: string }) {
  return <span lang="en-CA">{children}</span>;
}

const PLACE = '\uE000';

/** A sentence with what the clinic typed at its place: `(comment) => t('…', { comment })`. */
export function withClinicWords(say: (words: string) => string, words: string): ReactNode {
  const [before = '', after = ''] = say(PLACE).split(PLACE);
  return (
    <>
      {before}
      <ClinicWords>{words}</ClinicWords>
      {after}
    </>
  );
}
