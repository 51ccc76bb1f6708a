import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Letter } from '../ports/mail.ts';
import { fakeMail } from './mail-fake.ts';
import { practiceMail } from './mail-practice.ts';
import { smtpMail } from './mail-smtp.ts';
import { type Received, mailSuite } from './mail.suite.ts';

const receivedOf = (letters: readonly Letter[]): Received[] =>
  letters.map(({ to, subject, text, calendar }) => ({
    to,
    subject,
    text,
    calendar: calendar?.content ?? null,
  }));

describe('The fake', () => {
  mailSuite(async () => {
    const mail = fakeMail();
    return { mail, received: async () => receivedOf(mail.sent) };
  });
});

describe('The practice mailbox', () => {
  mailSuite(async () => {
    const mail = practiceMail(null, () => 0);
    return { mail, received: async () => receivedOf(mail.letters()) };
  });

  test('keeps its letters over a restart, newest first', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mail-'));
    const file = join(folder, 'mail.jsonl');
    const first = practiceMail(file, () => 1);
    const letter = { to: 'a@b.example', subject: 's', text: 't' };
    await first.send({ ...letter, key: 'one' });
    await first.send({ ...letter, key: 'two' });
    const keys = practiceMail(file, () => 2)
      .letters()
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

  test('throws when the server does not take the letter', async () => {
    const server = await smtpServer('550 no');
    const mail = smtpMail({ url: server.url, from: 'clinic@clinic.example' });
    const sending = mail.send({ key: 'k', to: 'a@b.example', subject: 's', text: 't' });
    await expect(sending).rejects.toThrow();
    await server.close();
  });
});

/** A mail server that speaks just enough SMTP, and drops a message it has by its Message-ID. */
async function smtpServer(recipientAnswer = '250 ok') {
  const raw = new Map<string, string>();
  const server = createServer((socket) => {
    let data: string | null = null;
    let buffered = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220 test');
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      buffered += chunk.toString('utf8');
      for (let end = buffered.indexOf('\r\n'); end >= 0; end = buffered.indexOf('\r\n')) {
        const line = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        if (data !== null) {
          if (line !== '.') data += `${line}\r\n`;
          else {
            raw.set(/^message-id: (.*)$/im.exec(data)?.[1] ?? String(raw.size), data);
            data = null;
            say('250 taken');
          }
        } else if (/^(ehlo|helo)/i.test(line)) say('250 test');
        else if (/^data/i.test(line)) {
          data = '';
          say('354 go on');
        } else if (/^rcpt/i.test(line)) say(recipientAnswer);
        else if (/^quit/i.test(line)) socket.end('221 bye\r\n');
        else say('250 ok');
      }
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?ignoreTLS=true`,
    messages: () => [...raw.values()].map(readMessage),
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}

function readMessage(message: string): Received {
  const header = (name: string) =>
    new RegExp(`^${name}: (.*)$`, 'im').exec(message)?.[1]?.trim() ?? '';
  const encoded = [...message.matchAll(/base64\r\n(?:[\w-]+:.*\r\n)*\r\n([A-Za-z0-9+/=\r\n]+)/g)];
  const decoded = encoded.map(([, text = '']) => Buffer.from(text, 'base64').toString('utf8'));
  const calendar = [message, ...decoded].find((part) => part.includes('BEGIN:VCALENDAR')) ?? null;
  return {
    to: header('to'),
    subject: header('subject'),
    text: [message, ...decoded].join('\n'),
    calendar,
  };
}
