import { type ErrorReport, type ErrorReports, scrubbed } from '../server/log.ts';

export interface LoggedErrorReports extends ErrorReports {
  /** How often each kind and code was reported: `charge:card_declined`. */
  counts(): ReadonlyMap<string, number>;
  /** The last reports, as they would have left the service. */
  readonly last: readonly ErrorReport[];
}

const MOST_KEPT = 100;

/** Reports go nowhere: they are counted, and the count is told. */
export function createLoggedErrorReports(
  tell: (code: string) => void = () => undefined,
): LoggedErrorReports {
  const counted = new Map<string, number>();
  const last: ErrorReport[] = [];
  return {
    report(report) {
      const clean = scrubbed(report);
      const name = `${clean.kind}:${clean.code}`;
      counted.set(name, (counted.get(name) ?? 0) + 1);
      last.push(clean);
      if (last.length > MOST_KEPT) last.shift();
      tell(`error-report:${name}:${counted.get(name)}`);
    },
    sent: () => Promise.resolve(),
    counts: () => counted,
    last,
  };
}

export interface SentryOptions {
  /** `https://<key>@<host>/<project>`. */
  readonly dsn: string;
  readonly newId: () => string;
  readonly now: () => number;
  /** Told when a report was not taken; nothing is tried again. */
  readonly onLost: (error: unknown) => void;
  readonly fetch?: typeof fetch;
}

const TIMEOUT_MS = 5_000;

/**
 * Sends reports to Sentry in its envelope format, by hand: its SDK would add requests, addresses
 * and messages of its own accord, and a report is an allowlist.
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
