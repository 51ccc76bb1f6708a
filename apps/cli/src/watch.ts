import { smtpMail } from '@clinic/service/adapters/email-smtp.ts';
import { type Environment, readSome } from '@clinic/service/read-settings.ts';
import { escapeHtml } from '@clinic/service/server/email-layout.ts';
import { productionSettings } from '@clinic/service/settings.ts';
import { CommandRefused, type Commands, type Given } from './command.ts';

/** Needs neither the service nor its database: it stands on another machine. */
export const watchCommands: Commands = {
  watch: {
    summary:
      'Watch PUBLIC_URL, and tell you when patients cannot book for 2 minutes, and when they can again.',
    options: {
      '--mail <address>': 'Tell this address, through SMTP_URL.',
      '--webhook <url>': 'Tell this address by a POST of {"text":"…"}.',
    },
  },
};

const EVERY_MS = 10_000;
const TELL_AFTER_MS = 120_000;

export interface Watch {
  /** Why patients cannot book; null when they can. */
  readonly look: () => Promise<string | null>;
  /** Rejects when nobody was told. */
  readonly tell: (text: string) => Promise<unknown>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<unknown>;
  readonly complain: (text: string) => void;
}

/** Watches until `pause` rejects. What could not be told is told at the next look, in its order. */
export async function watch({ look, tell, now, pause, complain }: Watch): Promise<never> {
  const untold: string[] = [];
  let since: number | null = null;
  let isDown = false;
  for (;;) {
    const why = await look();
    if (why === null) {
      if (isDown) untold.push(`Patients can book again since ${timeOf(now())}.`);
      since = null;
      isDown = false;
    } else {
      since ??= now();
      if (!isDown && now() - since >= TELL_AFTER_MS) {
        untold.push(`Patients cannot book since ${timeOf(since)}: ${why}.`);
        isDown = true;
      }
    }
    try {
      for (; untold[0] !== undefined; untold.shift()) await tell(untold[0]);
    } catch (error) {
      complain(`Nobody was told: ${String(error)}`);
    }
    await pause(EVERY_MS);
  }
}

const timeOf = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

/** Where the watch sends what it has to tell: an address of the operator, or a webhook. */
export function tellers(env: Environment, { texts: { mail: to, webhook } }: Given): Watch['tell'] {
  if ((to === undefined) === (webhook === undefined))
    throw new CommandRefused('Say whom to tell: --mail or --webhook, one of them.');
  if (to !== undefined) {
    const { SMTP_URL } = productionSettings;
    const mail = smtpMail({ url: readSome({ SMTP_URL }, env).SMTP_URL, from: to });
    return (text) =>
      mail.send({
        key: `watch-${Date.now()}`,
        to,
        subject: text,
        text,
        html: `<p>${escapeHtml(text)}`,
      });
  }
  return async (text) => {
    const { ok, status } = await fetch(webhook ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      signal: AbortSignal.timeout(EVERY_MS),
    });
    if (!ok) throw new Error(`the webhook answered ${status}`);
  };
}
