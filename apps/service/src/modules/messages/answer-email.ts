import { mailText } from '@clinic/contract/mail-texts';

import { type EmailHead, emailEnd, subjectOf } from '../../server/email-head.ts';
import type { Email } from '../../server/mail.ts';

/** that there is an answer, and nothing of what it says. */
export function answerEmail(key: string, to: string, head: EmailHead, publicUrl: string): Email {
  return {
    key,
    to,
    subject: subjectOf(mailText('answeredSubject'), head),
    text: [
      mailText('answered'),
      mailText('answeredWhere', { link: `${publicUrl}/account` }),
      '',
      ...emailEnd(head),
    ].join('\n'),
  };
}
