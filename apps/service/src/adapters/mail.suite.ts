import { expect, test } from 'vitest';
import type { Letter, Mail } from '../ports/mail.ts';

/** What a recipient got. */
export interface Received {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly calendar: string | null;
}

export interface MailUnderTest {
  readonly mail: Mail;
  readonly received: () => Promise<readonly Received[]>;
  readonly close?: () => Promise<void>;
}

const letter: Letter = {
  key: 'visit-1-booked',
  to: 'casey@practice.example',
  subject: 'Your appointment',
  text: 'Tue Dec 15 2026 13:00\nhttps://clinic.example/appointments',
  calendar: { method: 'PUBLISH', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' },
};

/** The promises of the mail port. */
export function mailSuite(open: () => Promise<MailUnderTest>): void {
  const promises: [string, (under: MailUnderTest) => Promise<void>][] = [];
  const promise = (...each: (typeof promises)[number]) => promises.push(each);

  promise('delivers a letter with its calendar file', async ({ mail, received }) => {
    await mail.send(letter);
    const [got, ...others] = await received();
    expect(others).toEqual([]);
    expect(got?.to).toBe('casey@practice.example');
    expect(got?.subject).toBe('Your appointment');
    expect(got?.text).toContain('Tue Dec 15 2026 13:00');
    expect(got?.calendar).toContain('BEGIN:VCALENDAR');
  });

  promise('counts a letter that is sent again as one', async ({ mail, received }) => {
    await mail.send(letter);
    await mail.send(letter);
    await mail.send({ ...letter, key: 'visit-1-cancelled' });
    expect(await received()).toHaveLength(2);
  });

  test.each(promises)('%s', async (_, assertKept) => {
    const under = await open();
    try {
      await assertKept(under);
    } finally {
      await under.close?.();
    }
  });
}
