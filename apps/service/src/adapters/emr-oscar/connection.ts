import {
  type Oscar,
  beginConnecting,
  createOscar,
  finishConnecting,
  providerNo,
} from '@clinic/oscar';
import { z } from 'zod';

/** The days of a whole window come at once; the sync itself spreads what it reads over the day. */
export const PER_MINUTE = 600;

const credential = z.strictObject({ key: z.string().min(1), secret: z.string().min(1) });

/** The clinic's access to its OSCAR, as given to `emr connect`. */
export const oscarAccess = z.strictObject({
  /** The REST client that the clinic set up for us. */
  client: credential,
  /** Null when a firewall blocks SOAP. */
  login: z.strictObject({ userName: z.string().min(1), password: z.string().min(1) }).nullable(),
  /** The service programme to which OSCAR admits a new patient. */
  programId: z.number().int().positive(),
  /** Numbers of providers that are not people, such as the account of the login. */
  hidden: z.array(z.string()).default([]),
});

/** The access and request token while a provider gives consent in the browser. */
export const oscarAsking = oscarAccess.extend({ requestToken: credential });
/** The credentials as stored; parsing drops fields that an earlier version stored with them. */
export const oscarCredentials = z.object({ ...oscarAccess.shape, token: credential });

export type OscarAccess = z.output<typeof oscarAccess>;
export type OscarCredentials = z.output<typeof oscarCredentials>;

/** Asks OSCAR for the address at which a provider gives consent. */
export async function askForConsent(base: string, access: OscarAccess) {
  const { requestToken, authorizeAt } = await beginConnecting({ base, consumer: access.client });
  return { asking: { ...access, requestToken }, authorizeAt };
}

export async function takeConsent(
  base: string,
  { requestToken, ...access }: z.output<typeof oscarAsking>,
  verifier: string,
): Promise<OscarCredentials> {
  const consumer = access.client;
  const token = await finishConnecting({ base, consumer, requestToken, verifier });
  return { ...access, token };
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
