import type { ReactNode } from 'react';

/** Text that the clinic typed and nobody translated, marked as English for screen readers.. */
export function ClinicWords({ children }: { children: string }) {
  return <span lang="en-CA">{children}</span>;
}

const PLACE = '\uE000';

/** A sentence with the clinic's text inserted and marked: `(comment) => t('…', { comment })`. */
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
