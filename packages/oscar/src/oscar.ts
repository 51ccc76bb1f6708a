/** A client for the OSCAR EMR. */
import type { DemographicNo, ProviderNo } from './alphabets.ts';
import { type AppointmentDraft, appointmentCalls } from './appointments.ts';
import { type BookAnswer, book, settle } from './booking.ts';
import { healthCalls } from './health.ts';
import { type Link, type Proved, keep, unkept } from './link.ts';
import { type Credential, signer } from './oauth.ts';
import { patientCalls } from './patients.ts';
import { providerCalls } from './providers.ts';
import { restOf } from './rest.ts';
import { scheduleCalls } from './schedule.ts';
import { type SoapLogin, type SoapOptions, soapOf } from './soap.ts';
import { ticklerCalls } from './ticklers.ts';
import { Transport } from './transport.ts';

export interface OscarOptions {
  /** With the context path, such as https://oscar.example.org/oscar. */
  readonly base: string;
  readonly rest: { readonly consumer: Credential; readonly token: Credential };
  /** All but a few writes goes by SOAP: without it nothing is read, and so nothing booked. */
  readonly soap: SoapLogin;
  /** Providers who are not people, such as this program's account, besides those that every OSCAR has. */
  readonly hiddenProviders?: readonly ProviderNo[];
  readonly timeoutMs?: number;
  readonly perMinute?: number;
  readonly now?: () => number;
}

export type Oscar = ReturnType<typeof createOscar>;
export type Calls = ReturnType<typeof callsOf>;

/** The defaults leave a clinic's server most of its time: 120 requests a minute, four at once. */
export function createOscar(options: OscarOptions) {
  const { now = () => performance.now(), timeoutMs = 8000, perMinute = 120 } = options;
  const transport = new Transport({ timeoutMs, perMinute, now });
  const sessions = { current: null, vainAt: -Infinity };
  const refused = { until: -Infinity };
  const proved: Proved = { login: -Infinity, token: -Infinity };
  const link = (urgent: boolean) =>
    linkOf(options, {
      transport,
      sessions,
      urgent,
      now,
      refused,
      proved,
      kept: urgent ? unkept : keep(now),
    });
  const urgent = callsOf(options, link(true));

  return {
    ...callsOf(options, link(false)),
    /** The same calls for a person who waits: nothing is kept for them, and neither budget nor pauses hold them up. */
    urgent,
    book: async (draft: AppointmentDraft, beforeWrite?: () => void): Promise<BookAnswer> =>
      book(urgent, draft, beforeWrite),
    settle: async (key: string, no: DemographicNo) => settle(urgent, key, no),
    /** How many requests were sent since the start, by call. */
    counts: () => transport.counts(),
    /** How many reads may still be sent within this minute. */
    left: () => transport.left(),
  };
}

type Shared = Pick<SoapOptions, 'transport' | 'sessions' | 'urgent'> &
  Pick<Link, 'kept' | 'now' | 'refused' | 'proved'>;

function linkOf(options: OscarOptions, { transport, sessions, urgent, ...shared }: Shared): Link {
  const { rest, soap: login } = options;
  const { proved } = shared;
  const base = options.base.replace(/\/+$/, '');
  return {
    ...shared,
    rest: restOf({ base, transport, urgent, proved, sign: signer(rest.consumer, rest.token) }),
    soap: soapOf({ base, transport, login, sessions, urgent, proved }),
  };
}

function callsOf({ hiddenProviders = [] }: OscarOptions, link: Link) {
  return {
    ...providerCalls(link, hiddenProviders),
    ...scheduleCalls(link),
    ...appointmentCalls(link),
    ...patientCalls(link),
    ...ticklerCalls(link),
    ...healthCalls(link),
  };
}
