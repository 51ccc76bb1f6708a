import { mailText } from '@clinic/contract/mail-texts';
import { type EpochSeconds, formatAppointment } from '@clinic/domain';
import type { Email } from '../../server/mail.ts';
import { type EmailHead, emailEnd, emailTime, subjectOf } from '../../server/email-head.ts';

/** What an email about an account says; nothing of the person but the address it goes to (S-8). */
export type AccountEmailFacts =
  | { readonly email: 'confirmEmail'; readonly forms: readonly FormToConfirm[] }
  | { readonly email: 'accountExists'; readonly loginLink: string }
  | { readonly email: 'resetCode'; readonly code: string }
  | { readonly email: 'passwordChanged'; readonly at: EpochSeconds };

/** A sign-up form that waits for its link; instants in epoch seconds. */
export interface FormToConfirm {
  readonly link: string;
  readonly filledIn: EpochSeconds;
  readonly validUntil: EpochSeconds;
}

export function accountEmail(
  facts: AccountEmailFacts,
  { key, to, head }: { readonly key: string; readonly to: string; readonly head: EmailHead },
): Email {
  const { subject, lines } = wordsOf(facts);
  const text = [...lines, '', ...emailEnd(head)].join('\n');
  return { key, to, subject: subjectOf(subject, head), text };
}

function wordsOf(facts: AccountEmailFacts): {
  readonly subject: string;
  readonly lines: readonly string[];
} {
  switch (facts.email) {
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

const clinicTime = (at: EpochSeconds): string => emailTime(formatAppointment(at));
