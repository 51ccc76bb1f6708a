import { mailText } from '@clinic/contract/mail-texts';
import { type EpochSeconds, formatAppointment } from '@clinic/domain';
import type { Letter } from '../../ports/mail.ts';
import { type LetterHead, lettersEnd, letterTime, subjectOf } from '../../platform/letter-head.ts';

/** What a letter about an account says; nothing of the person but the address it goes to (S-8). */
export type AccountLetterFacts =
  | { readonly letter: 'confirmEmail'; readonly forms: readonly FormToConfirm[] }
  | { readonly letter: 'accountExists'; readonly loginLink: string }
  | { readonly letter: 'resetCode'; readonly code: string }
  | { readonly letter: 'passwordChanged'; readonly at: EpochSeconds };

/** A sign-up form that waits for its link; instants in epoch seconds. */
export interface FormToConfirm {
  readonly link: string;
  readonly filledIn: EpochSeconds;
  readonly validUntil: EpochSeconds;
}

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
        lines: [...linksOf(facts.forms), mailText('confirmPassword'), mailText('confirmNotYou')],
      };
    case 'accountExists':
      return {
        subject: mailText('existsSubject'),
        lines: [
          mailText('exists'),
          mailText('existsLogin'),
          facts.loginLink,
          '',
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
        lines: [mailText('password', { when: clinicTime(facts.at) }), mailText('passwordNotYou')],
      };
  }
}

/** One form has one link; of several only its own person can tell which one to follow. */
function linksOf(forms: readonly FormToConfirm[]): readonly string[] {
  const valid = ({ validUntil }: FormToConfirm) =>
    mailText('confirmValid', { until: clinicTime(validUntil) });
  const [first, ...others] = forms;
  if (first && others.length === 0) return [mailText('confirm'), first.link, '', valid(first)];
  return [
    mailText('confirmSeveral', { count: forms.length }),
    '',
    ...forms.flatMap((form) => [
      mailText('confirmOne', { when: clinicTime(form.filledIn) }),
      form.link,
      valid(form),
      '',
    ]),
  ];
}

const clinicTime = (at: EpochSeconds): string => letterTime(formatAppointment(at));
