import type { Email } from '../src/server/ports.ts';
import { smtpMail } from '../src/adapters/email-smtp.ts';
import type { Received } from '../testing/email.suite.ts';
import { type Asked, REPLIES, messageId, readMessage, smtpServer } from '../testing/smtp-server.ts';

/**
 * What the mail server does. `drops` and `tooLong` take the email and lose the answer, `slow` answers in
 * time, and `refuses` refuses an email for good, twice: a third time it would be given up.
 */
export const MOODS = [
  'takes',
  'takes',
  'takes',
  'away',
  'hangsUp',
  'busy',
  'slow',
  'slowThenBusy',
  'refuses',
  'drops',
  'tooLong',
] as const;
type Mood = (typeof MOODS)[number];
interface How {
  /** Where it hangs up or is busy. */
  readonly at?: Asked | undefined;
  /** How long it takes. */
  readonly seconds?: number;
  readonly meanwhile?: (() => Promise<void>) | undefined;
}

/** An email in the patient's mailbox. */
interface Arrived extends Received {
  /** Of the email, which its Message-ID has. */
  readonly key: string;
  /** The service was not told that it was taken. */
  readonly isLost: boolean;
}

interface Waiting {
  /** Lets time pass, while a process waits for a reply to an email. */
  readonly pass: (seconds: number, isQuiet: () => boolean) => Promise<void>;
}

const nothing = async (): Promise<void> => undefined;

/** A mail server in the process of the test that the service reaches by its own adapter. */
export async function moodyMailServer({ pass }: Waiting) {
  let mood: Mood = 'takes';
  let phase: Asked = 'greeting';
  /** What happens while it takes long. */
  let meanwhile = nothing;
  let takesSeconds = 0;
  let over = Promise.resolve();
  /** Emails of which the service was not told yet what became of them. */
  let underWay = 0;
  let inbox: Arrived[] = [];
  let refusals = new Map<string, number>();
  const take = (raw: string, isLost: boolean) => {
    const [, hex = ''] = /<(.*)@/.exec(messageId(raw)) ?? [];
    inbox.push({ ...readMessage(raw), key: Buffer.from(hex, 'hex').toString(), isLost });
  };
  const isRefused = (raw: string) => {
    const before = refusals.get(messageId(raw)) ?? 0;
    refusals.set(messageId(raw), before + 1);
    return before < 2;
  };
  const takesLong = async (seconds: number) => {
    mood = 'takes';
    const work = meanwhile;
    meanwhile = nothing;
    await work();
    over = pass(seconds, () => underWay <= 1);
    await over;
  };
  const server = await smtpServer(async (asked, raw) => {
    const isNow = asked === phase;
    if (mood === 'hangsUp' && isNow) return null;
    if (mood === 'busy' && isNow) return '451 4.3.0 later';
    if (asked !== 'text') return REPLIES[asked];
    if (mood === 'refuses' && isRefused(raw)) return '550 5.7.1 no';
    if (mood === 'slowThenBusy') {
      await takesLong(takesSeconds);
      return '451 4.3.0 later';
    }
    if (mood === 'slow') await takesLong(takesSeconds);
    const isLost = mood === 'drops' || mood === 'tooLong';
    take(raw, isLost);
    if (mood === 'tooLong') await takesLong(600);
    return isLost ? null : REPLIES.text;
  });
  const from = 'Clinic <clinic@clinic.example>';
  const mail = smtpMail({ url: server.url, from });
  /** Nobody listens there. */
  const nowhere = smtpMail({ url: 'smtp://127.0.0.1:1', from });
  return {
    send: async (email: Email) => {
      underWay += 1;
      await (mood === 'away' ? nowhere : mail).send(email).finally(() => (underWay -= 1));
    },
    inbox: () => inbox,
    feels(next: Mood, { at = 'greeting', seconds = 0, meanwhile: then = nothing }: How = {}) {
      [mood, phase, takesSeconds, meanwhile] = [next, at, seconds, then];
      // The next email meets it from the greeting on.
      server.endIdle();
    },
    /** When it no longer takes long, which may be after whoever waits has given up. */
    isIdle: () => over,
    empty() {
      inbox = [];
      refusals = new Map();
    },
    async close() {
      mail.close();
      nowhere.close();
      await server.close();
    },
  };
}
