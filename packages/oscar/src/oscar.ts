/** A client for the OSCAR EMR. */
import type { AppointmentNo, DemographicNo, ProviderNo } from './alphabets.ts';
import { type AppointmentDraft, appointmentCalls } from './appointments.ts';
import { type BookAnswer, type CancelAnswer, book, cancel, settle } from './booking.ts';
import { healthCalls } from './health.ts';
import { type Link, cacheOf, uncached } from './link.ts';
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
  /** Null when a firewall blocks SOAP: `capabilities` then says what is missing. */
  readonly soap: SoapLogin | null;
  /** Providers who are not people, such as this program's account, besides those that every OSCAR has. */
  readonly hiddenProviders?: readonly ProviderNo[];
  readonly timeoutMs?: number;
  readonly perMinute?: number;
  readonly now?: () => number;
}

/** What this OSCAR can do. The caller decides what replaces the rest. */
export interface Capabilities {
  /** Whether day templates can be read from OSCAR, or must be kept by us. */
  readonly templates: 'emr' | 'ours';
  /** Whether a day's list has ends, or each appointment must be read for its end. */
  readonly ends: 'day' | 'perAppointment';
  /** Whether `changedSince` works. */
  readonly changes: boolean;
}

export type Oscar = ReturnType<typeof createOscar>;
export type Calls = ReturnType<typeof callsOf>;

/** The defaults leave a clinic's server most of its time: 120 requests a minute, four at once. */
export function createOscar(options: OscarOptions) {
  const { now = () => performance.now(), timeoutMs = 8000, perMinute = 120 } = options;
  const transport = new Transport({ timeoutMs, perMinute, now });
  const sessions = { current: null };
  const cached = cacheOf(now);
  const link = (urgent: boolean) =>
    linkOf(options, {
      transport,
      sessions,
      urgent,
      kept: cached,
      cached: urgent ? uncached : cached,
    });
  const urgent = callsOf(options, link(true));

  return {
    ...callsOf(options, link(false)),
    capabilities: capabilitiesOf(options),
    /** The same calls for a person who waits: they bypass cache, budget and circuit breaker. */
    urgent,
    book: async (draft: AppointmentDraft): Promise<BookAnswer> => book(urgent, draft),
    cancel: async (no: AppointmentNo): Promise<CancelAnswer> => cancel(urgent, no),
    settle: async (key: string, no: DemographicNo) => settle(urgent, key, no),
    /** How many requests were sent since the start, by call. */
    counts: () => transport.counts(),
    /** How many reads may still be sent within this minute. */
    left: () => transport.left(),
  };
}

interface Shared extends Pick<SoapOptions, 'transport' | 'sessions' | 'urgent'> {
  readonly cached: Link['cached'];
  readonly kept: Link['cached'];
}

function linkOf(options: OscarOptions, { transport, sessions, urgent, ...caches }: Shared): Link {
  const { rest, soap: login } = options;
  const base = options.base.replace(/\/+$/, '');
  return {
    ...caches,
    rest: restOf({ base, transport, urgent, sign: signer(rest.consumer, rest.token) }),
    soap: login === null ? null : soapOf({ base, transport, login, sessions, urgent }),
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

function capabilitiesOf({ soap }: OscarOptions): Capabilities {
  return {
    templates: soap === null ? 'ours' : 'emr',
    ends: soap === null ? 'perAppointment' : 'day',
    changes: soap !== null,
  };
}
