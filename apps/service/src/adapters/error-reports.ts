import { type ErrorReports, scrubbed } from '../server/log.ts';

/** Sends no reports: counts them by code, such as `charge:card_declined`, and tells each with its count. */
export function createLoggedErrorReports(tell: (code: string) => void): ErrorReports {
  const counted = new Map<string, number>();
  return {
    report(report) {
      const { kind, code } = scrubbed(report);
      const name = `${kind}:${code}`;
      const count = (counted.get(name) ?? 0) + 1;
      counted.set(name, count);
      tell(`error-report:${name}:${count}`);
    },
    sent: () => Promise.resolve(),
  };
}

export interface SentryOptions {
  /** `https://<key>@<host>/<project>`. */
  readonly dsn: string;
  readonly newId: () => string;
  readonly now: () => number;
  /** Called when a report was not taken; it is not sent again. */
  readonly onLost: (error: unknown) => void;
  readonly fetch?: typeof fetch;
}

const TIMEOUT_MS = 5_000;

/**
 * Sends reports to Sentry in its envelope format without its SDK, which would add requests, addresses and
 * messages on its own: a report holds only what an allowlist names.
 */
export function createSentryErrorReports(options: SentryOptions): ErrorReports {
  const { newId, now, onLost } = options;
  const dsn = new URL(options.dsn);
  const project = dsn.pathname.slice(1);
  const endpoint = `${dsn.protocol}//${dsn.host}/api/${project}/envelope/`;
  const send = options.fetch ?? fetch;
  const underWay = new Set<Promise<void>>();

  return {
    report(report) {
      const { kind, code, ...details } = scrubbed(report);
      const eventId = newId().replaceAll('-', '');
      const event = {
        event_id: eventId,
        timestamp: now(),
        platform: 'node',
        level: 'error',
        logger: kind,
        message: `${kind}:${code}`,
        tags: { kind, code },
        extra: details,
      };
      const lines = [{ event_id: eventId, dsn: options.dsn }, { type: 'event' }, event];
      const sending = send(endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-sentry-envelope',
          'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${dsn.username}, sentry_client=clinic/1`,
        },
        body: lines.map((line) => JSON.stringify(line)).join('\n'),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
        .then(
          (answer) => {
            if (!answer.ok) onLost(new Error(`Sentry answered ${answer.status}`));
          },
          (error: unknown) => onLost(error),
        )
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    async sent() {
      await Promise.all(underWay);
    },
  };
}
