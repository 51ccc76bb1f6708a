import { mailText } from '@clinic/contract/mail-texts';

import { type LetterHead, lettersEnd, subjectOf } from '../../platform/letter-head.ts';
import type { Letter } from '../../ports/mail.ts';

/** that there is an answer, and nothing of what it says. */
export function answerLetter(key: string, to: string, head: LetterHead, publicUrl: string): Letter {
  return {
    key,
    to,
    subject: subjectOf(mailText('answeredSubject'), head),
    text: [
      mailText('answered'),
      mailText('answeredWhere', { link: `${publicUrl}/account` }),
      '',
      ...lettersEnd(head),
    ].join('\n'),
  };
}
