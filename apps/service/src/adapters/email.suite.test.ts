import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MailRefused } from '../server/ports.ts';
import { fakeMail } from '../../testing/email-fake.ts';
import { type PracticeEmail, practiceMail } from '@clinic/practice/practice-email.ts';
import { smtpMail } from './email-smtp.ts';
import { type Received, mailServerSuite, mailSuite } from '../../testing/email.suite.ts';
import { type Asked, REPLIES as USUAL, smtpServer } from '../../testing/smtp-server.ts';

const receivedOf = (emails: readonly Omit<PracticeEmail, 'sentAt'>[]): Received[] =>
  emails.map(({ to, subject, text, html = '', calendar }) => ({
    to,
    subject,
    text,
    html,
    calendar: calendar?.content ?? null,
  }));

describe('The fake', () => {
  mailSuite(async () => {
    const mail = fakeMail();
    return { mail, received: async () => receivedOf(mail.sent) };
  });
});

describe('The fake, of a server that may refuse', () => {
  mailServerSuite(async () => {
    const mail = fakeMail();
    return {
      mail,
      received: async () => receivedOf(mail.sent),
      answer(how) {
        mail.refuses = how === 'refuses';
        mail.down = how === 'fails';
      },
    };
  });
});

describe('The practice mailbox', () => {
  mailSuite(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mail-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const mail = practiceMail(join(folder, 'mail.jsonl'), () => 0);
    return { mail, received: async () => receivedOf(mail.emails()) };
  });

  test('keeps its emails over a restart, newest first', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mail-'));
    const file = join(folder, 'mail.jsonl');
    const first = practiceMail(file, () => 1);
    const email = { to: 'a@b.example', subject: 's', text: 't', html: '<p>t' };
    await first.send({ ...email, key: 'one' });
    await first.send({ ...email, key: 'two' });
    const keys = practiceMail(file, () => 2)
      .emails()
      .map(({ key }) => key);
    rmSync(folder, { recursive: true });
    expect(keys).toEqual(['two', 'one']);
  });
});

describe('SMTP', () => {
  mailSuite(async () => {
    const server = await smtpServer();
    const mail = smtpMail({ url: server.url, from: 'Clinic <clinic@clinic.example>' });
    return {
      mail,
      received: async () => server.messages(),
      close: async () => {
        mail.close();
        await server.close();
      },
    };
  });

  mailServerSuite(async () => {
    const server = await smtpServer();
    const mail = smtpMail({ url: server.url, from: 'Clinic <clinic@clinic.example>' });
    return {
      mail,
      received: async () => server.messages(),
      answer: (how) =>
        server.answer(
          'rcpt',
          { takes: USUAL.rcpt, refuses: REFUSED, fails: '450 4.2.1 busy' }[how],
        ),
      close: async () => {
        mail.close();
        await server.close();
      },
    };
  });

  const REFUSED = '550 5.1.1 <casey@practice.example>: there is no such mailbox';
  const REPLIES: readonly (readonly [Asked, string, boolean])[] = [
    ['mail', '553 5.1.8 <clinic@clinic.example> is no sender here', true],
    ['rcpt', REFUSED, true],
    ['data', '554 5.6.0 no data', true],
    ['text', '552 5.3.4 too big', true],
    ['mail', '451 4.3.0 later', false],
    ['rcpt', '452 4.2.2 the mailbox of <casey@practice.example> is full', false],
    ['text', '421 4.3.2 closing', false],
    ['rcpt', '503 5.5.1 in another order, please', false],
    ['mail', '530 5.7.0 sign in first', false],
    ['greeting', '554 5.3.2 not now', false],
  ];
  test.each(REPLIES)(
    'asked for %s and answering %j refuses for good: %s',
    async (at, reply, good) => {
      const server = await smtpServer();
      server.answer(at, reply);
      const mail = smtpMail({ url: server.url, from: 'clinic@clinic.example' });
      const sending = mail.send({
        key: 'k',
        to: 'a@b.example',
        subject: 's',
        text: 't',
        html: '<p>t',
      });
      const error: unknown = await sending.catch((each: unknown) => each);
      expect(error).toBeInstanceOf(Error);
      expect(error instanceof MailRefused).toBe(good);
      mail.close();
      await server.close();
    },
  );

  const SENT = { key: 'k', to: 'a@b.example', subject: 's', text: 'two  words', html: '<p>t' };

  describe('that takes long', () => {
    const MINUTE = 60_000;
    const sendTo = async (server: Awaited<ReturnType<typeof smtpServer>>) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const mail = smtpMail({ url: server.url, from: 'clinic@clinic.example' });
      onTestFinished(async () => {
        mail.close();
        await server.close();
      });
      let end: unknown = 'none yet';
      const sending = mail.send(SENT).then(
        () => void (end = 'taken'),
        (error: unknown) => void (end = error),
      );
      return { sending, end: () => end };
    };

    test('to answer for an email is waited for, ten minutes, on one connection', async () => {
      const server = await smtpServer();
      const reply = server.hold('text');
      const { sending, end } = await sendTo(server);
      await reply.isAwaited;
      vi.advanceTimersByTime(10 * MINUTE - 1);
      expect(end()).toBe('none yet');
      reply.give();
      await sending;
      expect(end()).toBe('taken');
      expect(server.raw()).toHaveLength(1);
    });

    test('longer than that has perhaps taken the email', async () => {
      const server = await smtpServer();
      const reply = server.hold('text');
      const { sending, end } = await sendTo(server);
      await reply.isAwaited;
      vi.advanceTimersByTime(10 * MINUTE);
      await sending;
      expect(end()).not.toBeInstanceOf(MailRefused);
      expect(end()).toBeInstanceOf(Error);
    });

    test.each(['greeting', 'mail', 'rcpt', 'data'] as const)(
      'to answer when asked for %s is given five minutes',
      async (asked) => {
        const server = await smtpServer();
        const reply = server.hold(asked);
        const { sending, end } = await sendTo(server);
        await reply.isAwaited;
        vi.advanceTimersByTime(5 * MINUTE - 1_000);
        expect(end()).toBe('none yet');
        vi.advanceTimersByTime(1_000);
        await sending;
        expect(end()).toBeInstanceOf(Error);
        expect(server.raw()).toEqual([]);
      },
    );

    test('and drops the connection has perhaps taken the email: a repeat has its Message-ID', async () => {
      const server = await smtpServer();
      const reply = server.hold('text');
      const mail = smtpMail({ url: server.url, from: 'clinic@clinic.example' });
      const sending = mail.send(SENT).catch((error: unknown) => error);
      await reply.isAwaited;
      reply.drop();
      expect(await sending).not.toBeInstanceOf(MailRefused);
      server.hold('text').give();
      await mail.send(SENT);
      expect(server.raw()).toHaveLength(1);
      mail.close();
      await server.close();
    });
  });

  describe('keeps its connection', () => {
    const sent = async (...keys: string[]) => {
      const server = await smtpServer();
      const mail = smtpMail({ url: server.url, from: 'clinic@clinic.example' });
      onTestFinished(async () => {
        mail.close();
        await server.close();
      });
      for (const key of keys) await mail.send({ ...SENT, key });
      return { server, mail };
    };

    test('for the next email, and has one for each of those at the same time', async () => {
      const { server, mail } = await sent('one', 'two');
      expect(server.opened()).toBe(1);
      server.hold('text');
      const two = ['three', 'four'].map((key) => mail.send({ ...SENT, key }));
      await expect.poll(() => server.raw().length).toBe(4);
      expect(server.opened()).toBe(2);
      mail.close();
      await Promise.allSettled(two);
    });

    test('also after an email that was refused', async () => {
      const { server, mail } = await sent('one');
      server.answer('rcpt', REFUSED);
      await expect(mail.send({ ...SENT, key: 'two' })).rejects.toBeInstanceOf(MailRefused);
      server.answer('rcpt', USUAL.rcpt);
      await mail.send({ ...SENT, key: 'three' });
      expect([server.opened(), server.raw().length]).toEqual([1, 2]);
    });

    test('and sends over another where the server has ended it meanwhile', async () => {
      const { server, mail } = await sent('one');
      server.dropOnce('mail');
      await mail.send({ ...SENT, key: 'two' });
      expect([server.opened(), server.raw().length]).toEqual([2, 2]);
    });

    test('but sends nothing again of which the server may have the text', async () => {
      const { server, mail } = await sent('one');
      server.dropOnce('text');
      await expect(mail.send({ ...SENT, key: 'two' })).rejects.toThrow();
      expect([server.opened(), server.recipients.length]).toEqual([1, 2]);
    });
  });

  test('signs an email by DKIM where it has a key, as the key in DNS finds right', async () => {
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const server = await smtpServer();
    const privateKey = keys.privateKey.export({ type: 'pkcs8', format: 'pem' });
    const mail = smtpMail({
      url: server.url,
      from: 'Clinic <booking@clinic.example>',
      dkim: { selector: 'mail2026', privateKey: String(privateKey) },
    });
    await mail.send(SENT);
    const [raw = ''] = server.raw();
    expect(signatureOf(raw)).toMatchObject({ d: 'clinic.example', s: 'mail2026', a: 'rsa-sha256' });
    expect(isSigned(raw, keys.publicKey.export({ type: 'spki', format: 'pem' }))).toBe(true);
    const changed = raw.replace('Subject: s', 'Subject: t');
    expect(isSigned(changed, keys.publicKey.export({ type: 'spki', format: 'pem' }))).toBe(false);
    mail.close();
    await server.close();
  });

  test('has a sender of its own in the envelope for each recipient, where one is asked for', async () => {
    const server = await smtpServer();
    const from = 'Clinic <booking@clinic.example>';
    const returnTo = (to: string) => `bounces+${to.length}@clinic.example`;
    const mail = smtpMail({ url: server.url, from, returnTo });
    await mail.send(SENT);
    expect(server.senders).toEqual(['<bounces+11@clinic.example>']);
    const [raw = ''] = server.raw();
    expect(raw).toMatch(/^From: Clinic <booking@clinic.example>\r$/m);
    mail.close();
    await server.close();
  });

  // Shows: S-17
  test.each([
    ['casey@practice.example', '<casey@practice.example>'],
    ['a@x.example,b@x.example', '<"a@x.example,b"@x.example>'],
    ['a@x.example\r\nRCPT TO:<b@x.example>', '<"a@x.example RCPT TO: b"@x.example>'],
  ])('has one recipient, whatever address is stored: %j', async (to, recipient) => {
    const server = await smtpServer();
    for (const returnTo of [undefined, () => 'bounces@clinic.example']) {
      const mail = smtpMail({
        url: server.url,
        from: 'clinic@clinic.example',
        ...(returnTo && { returnTo }),
      });
      await mail.send({ ...SENT, to, key: String(returnTo) });
      mail.close();
    }
    expect(server.recipients).toEqual([recipient, recipient]);
    await server.close();
  });

  test('asks for no answer of a machine, and offers no unsubscribing from what a patient must get', async () => {
    const server = await smtpServer();
    const mail = smtpMail({ url: server.url, from: 'clinic@clinic.example' });
    await mail.send(SENT);
    const [raw = ''] = server.raw();
    expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(raw).not.toMatch(/^List-Unsubscribe/im);
    mail.close();
    await server.close();
  });

  test('an address that no email can be sent to is refused for good', async () => {
    const server = await smtpServer();
    const mail = smtpMail({ url: server.url, from: 'clinic@clinic.example' });
    const sending = mail.send({ key: 'k', to: '', subject: 's', text: 't', html: '<p>t' });
    await expect(sending).rejects.toBeInstanceOf(MailRefused);
    mail.close();
    await server.close();
  });
});

/** The tags of a message's DKIM signature. */
function signatureOf(raw: string): Record<string, string> {
  const header = /^dkim-signature:((?:.*\r\n)(?:[ \t].*\r\n)*)/im.exec(raw)?.[1] ?? '';
  return Object.fromEntries(
    header.split(';').map((tag) => {
      const [name = '', ...value] = tag.trim().split('=');
      return [name, value.join('=').replace(/\s/g, '')];
    }),
  );
}

/** RFC 6376 with `c=relaxed/relaxed`. */
function isSigned(raw: string, publicKey: string | Buffer): boolean {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const tags = signatureOf(raw);
  const relaxed = (text: string) => text.replace(/[ \t]+/g, ' ').replace(/ (?=\r\n)/g, '');
  const body = relaxed(rest.join('\r\n\r\n')).replace(/(\r\n)*$/, '\r\n');
  if (createHash('sha256').update(body).digest('base64') !== tags.bh) return false;
  const fields = head.replace(/\r\n(?=[ \t])/g, '').split('\r\n');
  const field = (name: string) => {
    const found = fields.find((each) => each.toLowerCase().startsWith(`${name}:`)) ?? '';
    return `${name}:${relaxed(found.slice(name.length + 1)).trim()}`;
  };
  const unsigned = field('dkim-signature').replace(/\bb=[^;]*/, 'b=');
  const names = (tags.h ?? '').toLowerCase().split(':');
  const signed = [...names.map(field), unsigned].join('\r\n');
  return createVerify('RSA-SHA256')
    .update(signed)
    .verify(publicKey, tags.b ?? '', 'base64');
}
