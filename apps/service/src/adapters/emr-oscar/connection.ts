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

/** What the clinic says of its OSCAR; what `emr connect` is given. */
export const oscarAccess = z.strictObject({
  /** The REST client that the clinic set up for us. */
  client: credential,
  /** Null where a firewall lets no SOAP through. */
  login: z.strictObject({ userName: z.string().min(1), password: z.string().min(1) }).nullable(),
  /** The service programme to which OSCAR admits a new patient. */
  programId: z.number().int().positive(),
  /** Numbers of providers who are no people, such as the account of the login. */
  hidden: z.array(z.string()).default([]),
});

/** While a provider gives consent in the browser. */
export const oscarAsking = oscarAccess.extend({ requestToken: credential });
/** As they are kept: what an earlier version kept beside them is of no use any more. */
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

/** A client for each address of the clinic's OSCAR, the first one first. */
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
