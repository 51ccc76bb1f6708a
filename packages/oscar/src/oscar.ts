/** A client for the OSCAR EMR. */
import type { AppointmentNo, DemographicNo, ProviderNo } from './alphabets.ts';
import { type AppointmentDraft, appointmentCalls } from './appointments.ts';
import { type BookAnswer, type CancelAnswer, book, cancel, settle } from './booking.ts';
import { healthCalls, healthOf } from './health.ts';
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
  /** With the context, such as https://oscar.example.org/oscar. */
  readonly base: string;
  readonly rest: { readonly consumer: Credential; readonly token: Credential };
  /** Null where a firewall lets no SOAP through: `capabilities` says what is missing then. */
  readonly soap: SoapLogin | null;
  /** Providers who are no people, such as the account of this program; those of every OSCAR are known. */
  readonly hiddenProviders?: readonly ProviderNo[];
  readonly timeoutMs?: number;
  readonly perMinute?: number;
  readonly now?: () => number;
}

/** What this OSCAR can do, as data: whoever uses the client says what stands in for the rest. */
export interface Capabilities {
  /** Whether day templates can be read, or must be kept elsewhere. */
  readonly templates: 'emr' | 'ours';
  /** Whether a day's list has ends, or each appointment is asked for once. */
  readonly ends: 'day' | 'perAppointment';
  /** Whether `changedSince` answers. */
  readonly changes: boolean;
  readonly status: 'isAlive' | 'checkIfAuthed';
}

export type Oscar = ReturnType<typeof createOscar>;
export type Calls = ReturnType<typeof callsOf>;

/** The defaults leave a clinic's server most of its time: a request a second, four at once. */
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
    /** The same calls for one person who waits: past cache, budget and circuit breaker. */
    urgent,
    book: async (draft: AppointmentDraft): Promise<BookAnswer> => book(urgent, draft),
    cancel: async (no: AppointmentNo): Promise<CancelAnswer> => cancel(urgent, no),
    settle: async (key: string, no: DemographicNo) => settle(urgent, key, no),
    health: healthOf(urgent),
    /** Requests since the start, by call. */
    counts: () => transport.counts(),
    /** Reads that may still be sent within a minute. */
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
    status: soap === null ? 'checkIfAuthed' : 'isAlive',
  };
}
