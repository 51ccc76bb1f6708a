import { type AddressInfo, type Socket, createServer } from 'node:net';
import type { Received } from './email.suite.ts';

/** What a mail server is asked on the way, and may answer in another way than usual. */
export type Asked = 'greeting' | 'mail' | 'rcpt' | 'data' | 'text';
export const REPLIES: Readonly<Record<Asked, string>> = {
  greeting: '220 test',
  mail: '250 ok',
  rcpt: '250 ok',
  data: '354 go on',
  text: '250 taken',
};
/** A reply, or null to drop the connection. `text` is what was sent, once all of it was. */
type Replying = (asked: Asked, text: string) => Promise<string | null> | string | null;

/** A mail server that speaks just enough SMTP, and drops a message it has by its Message-ID. */
export async function smtpServer(replying?: Replying) {
  const answers = { ...REPLIES };
  const held = new Map<Asked, (give: () => void, socket: Socket) => void>();
  const raw = new Map<string, string>();
  const senders: string[] = [];
  const recipients: string[] = [];
  /** On which nothing is asked since an email was taken or refused. */
  const idle = new Set<Socket>();
  let opened = 0;
  let drops: Asked | null = null;
  const usual: Replying = (asked, text) => {
    // Where the reply is kept back or lost, the server has the message all the same.
    if (asked === 'text' && answers.text.startsWith('250')) raw.set(messageId(text), text);
    return answers[asked];
  };
  const server = createServer((socket) => {
    opened += 1;
    socket.on('close', () => idle.delete(socket));
    let data: string | null = null;
    let buffered = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
    const answer = async (asked: Asked, text = '') => {
      const reply = await (replying ?? usual)(asked, text);
      if (reply === null || asked === drops) {
        drops = null;
        return socket.destroy();
      }
      if (asked === 'data' && reply.startsWith('354')) data = '';
      const hold = held.get(asked);
      const give = () => {
        if (asked === 'text') idle.add(socket);
        say(reply);
      };
      if (hold === undefined) give();
      else hold(give, socket);
    };
    void answer('greeting');
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      buffered += chunk.toString('utf8');
      for (let end = buffered.indexOf('\r\n'); end >= 0; end = buffered.indexOf('\r\n')) {
        const line = buffered.slice(0, end);
        buffered = buffered.slice(end + 2);
        if (data !== null) {
          if (line !== '.') data += `${line.replace(/^\./, '')}\r\n`;
          else {
            const text = data;
            data = null;
            void answer('text', text);
          }
        } else if (/^(ehlo|helo)/i.test(line)) say('250 test');
        else if (/^data/i.test(line)) void answer('data');
        else if (/^mail/i.test(line)) {
          idle.delete(socket);
          senders.push(/<.*?>/.exec(line)?.[0] ?? '');
          void answer('mail');
        } else if (/^rcpt/i.test(line)) {
          recipients.push(/<.*>/.exec(line)?.[0] ?? '');
          void answer('rcpt');
        } else if (/^quit/i.test(line)) socket.end('221 bye\r\n');
        else {
          if (/^rset/i.test(line)) idle.add(socket);
          say('250 ok');
        }
      }
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?ignoreTLS=true`,
    answer: (at: Asked, reply: string) => void (answers[at] = reply),
    /** Keeps a reply back. */
    hold(at: Asked) {
      const awaited = Promise.withResolvers<void>();
      let isGiven = false;
      let reply: { readonly give: () => void; readonly socket: Socket } | null = null;
      held.set(at, (give, socket) => {
        if (isGiven) return give();
        reply = { give, socket };
        awaited.resolve();
      });
      return {
        isAwaited: awaited.promise,
        give() {
          isGiven = true;
          reply?.give();
        },
        drop: () => reply?.socket.destroy(),
      };
    },
    /** Ends the connection of the next that is asked, with no answer. */
    dropOnce: (at: Asked) => void (drops = at),
    /** How many connections there were. */
    opened: () => opened,
    /** Ends the connections that are kept for a next email. */
    endIdle() {
      for (const socket of idle) socket.end();
    },
    raw: () => [...raw.values()],
    senders,
    recipients,
    messages: () => [...raw.values()].map(readMessage),
    close: () => new Promise<void>((closed) => server.close(() => closed())),
  };
}

export const messageId = (raw: string): string => readPart(raw).headers['message-id'] ?? raw;

/** What a recipient sees of a message: the parts that nodemailer writes. */
export function readMessage(raw: string): Received {
  const { headers, parts } = readPart(raw);
  const of = (type: string) => parts.find((part) => part.type.startsWith(type))?.body ?? null;
  return {
    to: headers.to ?? '',
    subject: decodeWords(headers.subject ?? ''),
    text: of('text/plain') ?? '',
    html: of('text/html') ?? '',
    calendar: of('text/calendar'),
  };
}

interface Part {
  readonly type: string;
  readonly body: string;
}

function readPart(raw: string): { headers: Record<string, string>; parts: readonly Part[] } {
  const end = raw.indexOf('\r\n\r\n');
  const lines = raw
    .slice(0, end)
    .replace(/\r\n(?=[ \t])/g, '')
    .split('\r\n');
  const headers: Record<string, string> = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = raw.slice(end + 4);
  const type = headers['content-type'] ?? 'text/plain';
  const boundary = /boundary="?([^";]+)"?/.exec(type)?.[1];
  if (boundary === undefined) {
    const decoded = decodedBody(body, headers['content-transfer-encoding']);
    // RFC 3676: a line that ends with a space goes on in the next one.
    const isFlowed = type.includes('format=flowed');
    return {
      headers,
      parts: [{ type, body: isFlowed ? decoded.replace(/ \r\n/g, ' ') : decoded }],
    };
  }
  const inner = body.split(`--${boundary}`).slice(1, -1);
  return { headers, parts: inner.flatMap((each) => readPart(each.replace(/^\r\n/, '')).parts) };
}

function decodedBody(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? unquoted(body.replace(/=\r\n/g, '')) : body;
}

const unquoted = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

/** RFC 2047. */
const decodeWords = (header: string): string =>
  header
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_, how: string, word: string) =>
      how.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : unquoted(word.replaceAll('_', ' ')),
    );
