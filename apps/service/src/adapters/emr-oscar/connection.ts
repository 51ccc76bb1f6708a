import {
  type Oscar,
  OscarRefused,
  beginConnecting,
  createOscar,
  finishConnecting,
  providerNo,
} from '@clinic/oscar';
import { z } from 'zod';

import { whyNotSigned } from './signature.ts';

/** The days of a whole window come at once; the sync itself spreads what it reads over the day. */
export const PER_MINUTE = 600;

const credential = z.strictObject({ key: z.string().min(1), secret: z.string().min(1) });

/** The clinic's access to its OSCAR, as given to `emr connect`. */
export const oscarAccess = z.strictObject({
  /** The REST client that the clinic set up for us. */
  client: credential,
  login: z.strictObject({ userName: z.string().min(1), password: z.string().min(1) }),
  /** The service programme to which OSCAR admits a new patient. */
  programId: z.number().int().positive(),
  /** Numbers of providers that are not people, such as the account of the login. */
  hidden: z.array(z.string()).default([]),
  /** For how long OSCAR takes a token, as its REST client says; left out where no token ends. */
  tokenSeconds: z.number().int().positive().optional(),
});

/** The access and request token while a provider gives consent in the browser. */
export const oscarAsking = oscarAccess.extend({ requestToken: credential });
/** The credentials as stored. An earlier version took none for SOAP. Parsing drops fields that an earlier version stored with them. */
export const oscarCredentials = z.object({
  ...oscarAccess.shape,
  token: credential,
  /** When the token ends, in seconds of the epoch; left out where that is not known, or never. */
  tokenEndsAt: z.number().optional(),
});

/** CARLOS, which is installed at this path, ends each token after an hour, and says so nowhere. */
const CARLOS = /\/carlos$/;
const CARLOS_TOKEN_SECONDS = 3_600;

export type OscarAccess = z.output<typeof oscarAccess>;
export type OscarCredentials = z.output<typeof oscarCredentials>;

/** Asks OSCAR for the address at which a provider gives consent, once its SOAP takes the login. */
export async function askForConsent(base: string, access: OscarAccess, now: number) {
  const unused = { key: '', secret: '' };
  const [oscar] = oscarsAt([base], { ...access, token: unused });
  const at = (await assertSoap(oscar?.urgent)) ?? now * 1000;
  const connecting = { base, consumer: access.client };
  try {
    const { requestToken, authorizeAt } = await beginConnecting(connecting);
    return { asking: { ...access, requestToken }, authorizeAt };
  } catch (error) {
    if (!(error instanceof OscarRefused) || error.by !== 'oauth') throw error;
    const apart = Math.round(Math.abs(at / 1000 - now));
    const why =
      error.word === 'No service was found' ? null : await whyNotSigned(connecting, apart);
    if (why !== null) error.message = `The handshake was refused: ${why.says}. ${why.cure}`;
    throw error;
  }
}

export async function takeConsent(
  base: string,
  { requestToken, ...access }: z.output<typeof oscarAsking>,
  verifier: string,
  now: number,
): Promise<OscarCredentials> {
  const consumer = access.client;
  const token = await finishConnecting({ base, consumer, requestToken, verifier });
  const { tokenSeconds = CARLOS.test(base) ? CARLOS_TOKEN_SECONDS : undefined, ...rest } = access;
  if (tokenSeconds === undefined) return { ...rest, token };
  return { ...rest, token, tokenSeconds, tokenEndsAt: now + tokenSeconds };
}

/** Throws what keeps SOAP from us: without it nothing is read, and so nothing booked. Answers the server's time. */
export async function assertSoap(oscar: Oscar['urgent'] | undefined): Promise<number | undefined> {
  try {
    return await oscar?.checkLogin();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    error.message = `Nothing can be booked without SOAP: ${error.message}`;
    throw error;
  }
}

/** A client for each address of the clinic's OSCAR, in the same order. */
export const oscarsAt = (
  addresses: readonly string[],
  { client: consumer, token, login, hidden }: OscarCredentials,
): readonly Oscar[] =>
  addresses.map((base) =>
    createOscar({
      base,
      rest: { consumer, token },
      soap: login,
      perMinute: PER_MINUTE,
      hiddenProviders: hidden.map(providerNo),
    }),
  );
