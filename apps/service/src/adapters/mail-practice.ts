import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Letter, Mail } from '../ports/mail.ts';

export interface PracticeLetter extends Letter {
  /** Epoch seconds. */
  readonly sentAt: number;
}

/** The practice clinic's mailbox: nothing leaves the machine. */
export interface PracticeMail extends Mail {
  /** Newest first. */
  letters(): readonly PracticeLetter[];
}

/** Kept in a file of the data folder, one letter a line; without a file in memory only. */
export function practiceMail(file: string | null, now: () => number): PracticeMail {
  const letters: PracticeLetter[] = file !== null && existsSync(file) ? readLetters(file) : [];
  return {
    letters: () => letters.toReversed(),
    async send(letter) {
      if (letters.some(({ key }) => key === letter.key)) return;
      const kept = { ...letter, sentAt: now() };
      if (file !== null) {
        mkdirSync(dirname(file), { recursive: true });
        appendFileSync(file, `${JSON.stringify(kept)}\n`, { mode: 0o600 });
      }
      letters.push(kept);
    },
  };
}

/** A line that a crash cut short is no letter. */
function readLetters(file: string): PracticeLetter[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as PracticeLetter];
      } catch {
        return [];
      }
    });
}
