/** A client for the OSCAR EMR. */
import type { DemographicNo, ProviderNo } from './alphabets.ts';
import { type AppointmentDraft, appointmentCalls } from './appointments.ts';
import { type BookAnswer, book, settle } from './booking.ts';
import { clinicCalls } from './clinic.ts';
import type { Link } from './link.ts';
import { type Credential, signer } from './oauth.ts';
import { patientCalls } from './patients.ts';
import { restOf } from './rest.ts';
import { type SoapLogin, soapOf } from './soap.ts';
import { ticklerCalls } from './ticklers.ts';
import { type State, Transport } from './transport.ts';

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
  const { soap: login, hiddenProviders = [] } = options;
  const base = options.base.replace(/\/+$/, '');
  const transport = new Transport({ timeoutMs, perMinute, now });
  const sign = signer(options.rest.consumer, options.rest.token);
  const state: State = {
    session: null,
    vainLoginAt: -Infinity,
    refusedUntil: -Infinity,
    takenAt: { login: -Infinity, token: -Infinity },
  };
  const calls = (urgent: boolean) => {
    const way = { base, transport, urgent, state };
    const link = { ...way, rest: restOf(way, sign), soap: soapOf(way, login) };
    return callsOf(link, hiddenProviders);
  };
  const urgent = calls(true);

  return {
    ...calls(false),
    /** The same calls for a person who waits: nothing is kept for them, and neither budget nor pauses hold them up. */
    urgent,
    book: async (draft: AppointmentDraft, beforeWrite?: () => unknown): Promise<BookAnswer> =>
      book(urgent, draft, beforeWrite),
    settle: async (key: string, no: DemographicNo) => settle(urgent, key, no),
    /** How many requests were sent since the start, by call. */
    counts: () => transport.counts(),
    /** How many reads may still be sent within this minute. */
    left: () => transport.left(),
  };
}

function callsOf(link: Link, hiddenProviders: readonly ProviderNo[]) {
  const { rest, soap, state, transport } = link;
  return {
    ...clinicCalls(link, hiddenProviders),
    ...appointmentCalls(link),
    ...patientCalls(link),
    ...ticklerCalls(link),
    /** By SOAP. Answers the time of the server in milliseconds of the epoch; throws what is wrong. */
    checkLogin: soap.check,
    /** By REST. False where the token is taken, and may do less than is asked of it; throws what is wrong. */
    checkToken: rest.check,
    /** Whether OSCAR took it within so many seconds, and has refused nothing since: then no check is needed. */
    wasTaken: (key: keyof State['takenAt'], seconds: number) =>
      transport.now() - state.takenAt[key] <= seconds * 1000,
  };
}
