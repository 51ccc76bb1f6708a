import { expect, test } from 'vitest';
import { type Email, type Mail, MailRefused } from '../src/server/ports.ts';

/** What a recipient got. */
export interface Received {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly calendar: string | null;
}

export interface MailUnderTest {
  readonly mail: Mail;
  readonly received: () => Promise<readonly Received[]>;
  readonly close?: () => Promise<void>;
}

/** A mail server that can be made to refuse, and to fail, whatever it is sent next. */
export interface ServerUnderTest extends MailUnderTest {
  readonly answer: (how: 'takes' | 'refuses' | 'fails') => void;
}

const email: Email = {
  key: 'appointment-1-booked',
  to: 'casey@practice.example',
  subject: 'Your appointment',
  text: 'Tue Dec 15 2026 13:00\nhttps://clinic.example/appointments',
  html: '<!doctype html><p>Tue Dec 15 2026 13:00',
  calendar: { method: 'PUBLISH', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' },
};

/** The promises of the mail port. */
export function mailSuite(open: () => Promise<MailUnderTest>): void {
  const promises: [string, (under: MailUnderTest) => Promise<void>][] = [];
  const promise = (...each: (typeof promises)[number]) => promises.push(each);

  promise(
    'delivers an email as text and as HTML, with its calendar file',
    async ({ mail, received }) => {
      await mail.send(email);
      const [got, ...others] = await received();
      expect(others).toEqual([]);
      expect(got?.to).toBe('casey@practice.example');
      expect(got?.subject).toBe('Your appointment');
      expect(got?.text).toContain('Tue Dec 15 2026 13:00');
      expect(got?.html).toContain('<p>Tue Dec 15 2026 13:00');
      expect(got?.calendar).toContain('BEGIN:VCALENDAR');
    },
  );

  promise('counts a letter that is sent again as one', async ({ mail, received }) => {
    await mail.send(email);
    await mail.send(email);
    await mail.send({ ...email, key: 'appointment-1-cancelled' });
    expect(await received()).toHaveLength(2);
  });

  eachKept(promises, open);
}

/** The promises beside those of an adapter that hands its emails to somebody who may refuse them. */
export function mailServerSuite(open: () => Promise<ServerUnderTest>): void {
  const promises: [string, (under: ServerUnderTest) => Promise<void>][] = [];
  const promise = (...each: (typeof promises)[number]) => promises.push(each);

  promise('tells a letter that is refused for good, and never by its address', async (under) => {
    under.answer('refuses');
    const refused: unknown = await under.mail.send(email).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(MailRefused);
    const said = JSON.stringify([refused, String(refused), (refused as Error).stack]);
    expect(said).not.toContain('casey');
    expect((refused as Error).cause).toBeUndefined();
    expect(await under.received()).toEqual([]);
  });

  promise('tells trouble that may pass from a refusal, and sends once it passed', async (under) => {
    under.answer('fails');
    const failed: unknown = await under.mail.send(email).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Error);
    expect(failed).not.toBeInstanceOf(MailRefused);
    under.answer('takes');
    await under.mail.send(email);
    expect(await under.received()).toHaveLength(1);
  });

  eachKept(promises, open);
}

function eachKept<Under extends MailUnderTest>(
  promises: [string, (under: Under) => Promise<void>][],
  open: () => Promise<Under>,
): void {
  test.each(promises)('%s', async (_, assertKept) => {
    const under = await open();
    try {
      await assertKept(under);
    } finally {
      await under.close?.();
    }
  });
}
