import type { Translations } from '@clinic/domain';
import type { ReactNode } from 'react';
import { locale } from '../messages/t.ts';

/** Text that the clinic typed and nobody translated, marked as English for screen readers.. */
export function ClinicWords({ children }: { children: string }) {
  return <span lang="en-CA">{children}</span>;
}

interface Named {
  readonly description: string;
  readonly translations?: Translations | null | undefined;
}

/** The name of an appointment type in the language of the page, or else in English. */
export const typeName = ({ description, translations }: Named): string =>
  translations?.[locale()] ?? description;

/** As `typeName`, and marked as English where nobody translated it. */
export function TypeName({ of }: { of: Named }) {
  const name = typeName(of);
  return name === of.description ? <ClinicWords>{name}</ClinicWords> : name;
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
