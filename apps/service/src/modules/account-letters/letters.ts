import { mailText } from '@clinic/contract/mail-texts';
import { type EpochSeconds, formatAppointment } from '@clinic/domain';
import type { Letter } from '../../ports/mail.ts';
import { type LetterHead, lettersEnd, letterTime, subjectOf } from '../../platform/letter-head.ts';

/** What a letter about an account says; nothing of the person but the address it goes to (S-8). */
export type AccountLetterFacts =
  | { readonly letter: 'confirmEmail'; readonly link: string }
  | {
      readonly letter: 'accountExists';
      readonly loginLink: string;
      readonly emailConfirmed: boolean;
    }
  | { readonly letter: 'resetCode'; readonly code: string }
  | { readonly letter: 'passwordChanged'; readonly at: EpochSeconds };

export function accountLetter(
  facts: AccountLetterFacts,
  { key, to, head }: { readonly key: string; readonly to: string; readonly head: LetterHead },
): Letter {
  const { subject, lines } = wordsOf(facts);
  const text = [...lines, '', ...lettersEnd(head)].join('\n');
  return { key, to, subject: subjectOf(subject, head), text };
}

function wordsOf(facts: AccountLetterFacts): {
  readonly subject: string;
  readonly lines: readonly string[];
} {
  switch (facts.letter) {
    case 'confirmEmail':
      return {
        subject: mailText('confirmSubject'),
        lines: [mailText('confirm'), facts.link, '', mailText('confirmValid')],
      };
    case 'accountExists':
      return {
        subject: mailText('existsSubject'),
        lines: [
          mailText('exists'),
          mailText('existsLogin'),
          facts.loginLink,
          '',
          ...(facts.emailConfirmed ? [] : [mailText('existsUnconfirmed')]),
          mailText('existsNotYou'),
        ],
      };
    case 'resetCode':
      return {
        subject: mailText('resetSubject'),
        lines: [mailText('reset'), facts.code, '', mailText('resetValid'), mailText('resetNotYou')],
      };
    case 'passwordChanged':
      return {
        subject: mailText('passwordSubject'),
        lines: [
          mailText('password', { when: letterTime(formatAppointment(facts.at)) }),
          mailText('passwordNotYou'),
        ],
      };
  }
}
