import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Email, Mail } from '@clinic/service/server/ports.ts';

/** An email in the practice mailbox. Without HTML when an earlier version stored it. */
export interface PracticeEmail extends Omit<Email, 'html'>, Partial<Pick<Email, 'html'>> {
  /** Epoch seconds. */
  readonly sentAt: number;
}

/** The practice clinic's mailbox. Nothing leaves the machine. */
export interface PracticeMail extends Mail {
  /** Newest first. */
  emails(): readonly PracticeEmail[];
}

/** Stores the emails in a file of the data folder, one a line. */
export function practiceMail(file: string, now: () => number): PracticeMail {
  const emails = existsSync(file) ? readEmails(file) : [];
  return {
    emails: () => emails.toReversed(),
    async send(email) {
      if (emails.some(({ key }) => key === email.key)) return;
      const kept = { ...email, sentAt: now() };
      appendFileSync(file, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
      emails.push(kept);
    },
  };
}

/** Skips lines that do not parse, such as one that a crash cut short. */
function readEmails(file: string): PracticeEmail[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as PracticeEmail];
      } catch {
        return [];
      }
    });
}
