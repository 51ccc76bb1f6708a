import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MailRefused } from '../server/ports.ts';
import { fakeMail } from '../../testing/email-fake.ts';
import { type PracticeEmail, practiceMail } from '@clinic/practice/practice-email.ts';
import { smtpMail } from './email-smtp.ts';
import { type Received, mailServerSuite, mailSuite } from '../../testing/email.suite.ts';

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
        server.answer('rcpt', { takes: TAKEN, refuses: REFUSED, fails: '450 4.2.1 busy' }[how]),
      close: async () => {
        mail.close();
        await server.close();
      },
    };
  });

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

/** What a mail server is asked on the way, and may answer in another way than usual. */
type Asked = 'greeting' | 'mail' | 'rcpt' | 'data' | 'text';
const TAKEN = '250 ok';
const REFUSED = '550 5.1.1 <casey@practice.example>: there is no such mailbox';

/** A mail server that speaks just enough SMTP, and drops a message it has by its Message-ID. */
async function smtpServer() {
  const answers: Record<Asked, string> = {
    greeting: '220 test',
    mail: TAKEN,
    rcpt: TAKEN,
    data: '354 go on',
    text: '250 taken',
  };
  const raw = new Map<string, string>();
  const senders: string[] = [];
  const server = createServer((socket) => {
    let data: string | null = null;
    let buffered = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
    say(answers.greeting);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      buffered += chunk.toString('utf8');
      for (let end = buffered.indexOf('\r\n'); end >= 0; end = buffered.indexOf('\r\n')) {
        const line = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        if (data !== null) {
          if (line !== '.') data += `${line}\r\n`;
          else {
            const id = /^message-id: (.*)$/im.exec(data)?.[1] ?? String(raw.size);
            if (answers.text.startsWith('250')) raw.set(id, data);
            data = null;
            say(answers.text);
          }
        } else if (/^(ehlo|helo)/i.test(line)) say('250 test');
        else if (/^data/i.test(line)) {
          if (answers.data.startsWith('354')) data = '';
          say(answers.data);
        } else if (/^mail/i.test(line)) {
          senders.push(/<.*?>/.exec(line)?.[0] ?? '');
          say(answers.mail);
        } else if (/^rcpt/i.test(line)) say(answers.rcpt);
        else if (/^quit/i.test(line)) socket.end('221 bye\r\n');
        else say('250 ok');
      }
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?ignoreTLS=true`,
    answer: (at: Asked, reply: string) => void (answers[at] = reply),
    raw: () => [...raw.values()],
    senders,
    messages: () => [...raw.values()].map(readMessage),
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}

function readMessage(message: string): Received {
  const header = (name: string) =>
    new RegExp(`^${name}: (.*)$`, 'im').exec(message)?.[1]?.trim() ?? '';
  const encoded = [...message.matchAll(/base64\r\n(?:[\w-]+:.*\r\n)*\r\n([A-Za-z0-9+/=\r\n]+)/g)];
  const decoded = encoded.map(([, text = '']) => Buffer.from(text, 'base64').toString('utf8'));
  const parts = [message, ...decoded];
  const calendar = parts.find((part) => part.includes('BEGIN:VCALENDAR')) ?? null;
  return {
    to: header('to'),
    subject: header('subject'),
    text: parts.join('\n'),
    html: parts.find((part) => part.includes('text/html')) ?? '',
    calendar,
  };
}

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
