import { isIP } from 'node:net';

/** The site that a passkey is bound to, and the one page that may ask for it. */
export interface PasskeySite {
  readonly id: string;
  readonly origin: string;
}

/** ES256, EdDSA and RS256: what devices make today. */
export const PASSKEY_ALGORITHMS: readonly number[] = [-7, -8, -257];

/**
 * A passkey belongs to a name, never to a number. Where the clinic is this machine's own number, that
 * is `localhost`; at any other number, and over plain http elsewhere, browsers have none: null.
 */
export function passkeySite(publicUrl: string): PasskeySite | null {
  const { protocol, hostname, port } = new URL(publicUrl);
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  if (isHere)
    return { id: 'localhost', origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}` };
  if (protocol !== 'https:' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  return { id: hostname, origin: new URL(publicUrl).origin };
}

/** As a browser hands it over, each part in base64url. */
export interface PasskeyAnswer {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
}
export type PasskeyMade = Pick<PasskeyAnswer, 'id' | 'clientDataJSON'> & {
  readonly attestationObject: string;
};

/** A quarter of a second and 27 MB: loaded by the first passkey, not by every start. */
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

/** What was asked, by the browser's own words; null where they are none. */
export function challengeIn({ clientDataJSON }: Pick<PasskeyAnswer, 'clientDataJSON'>) {
  try {
    const said: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    const { challenge } = Object(said) as { readonly challenge?: unknown };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/**
 * The passkey that a device has made for a challenge, or null. Who made the device is neither asked
 * nor read: a statement of it could name addresses that the service would then ask.
 */
export async function madePasskey(
  { id: rpId, origin }: PasskeySite,
  challenge: string,
  made: PasskeyMade,
): Promise<{ readonly publicKey: Uint8Array; readonly signCount: number } | null> {
  const { verifyRegistrationResponse } = await library();
  const { decodeAttestationObject, isoBase64URL, isoCBOR } = await helpers();
  return orNull(async () => {
    const { id, clientDataJSON } = made;
    const authData = decodeAttestationObject(isoBase64URL.toBuffer(made.attestationObject)).get(
      'authData',
    );
    const unstated = new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', authData],
    ]);
    const attestationObject = isoBase64URL.fromBuffer(isoCBOR.encode(unstated));
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    });
    // What the device calls it, not what the page says it is called.
    if (registrationInfo?.credential.id !== id) return null;
    const { publicKey, counter: signCount } = registrationInfo.credential;
    return { publicKey, signCount };
  });
}

interface Asked {
  readonly challenge: string;
  readonly publicKey: Uint8Array;
  readonly mustVerifyUser: boolean;
}

/** How often the device says the passkey was used, once it signed this challenge; else null. */
export async function answeredBy(
  { id: rpId, origin }: PasskeySite,
  answer: PasskeyAnswer,
  { challenge, publicKey, mustVerifyUser }: Asked,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  return orNull(async () => {
    const { id, ...response } = answer;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: mustVerifyUser,
      // That it counts on is for whoever keeps the count to say, in the statement that changes it.
      credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  });
}

/** The library throws whatever is wrong with an answer, from its first byte to its signature. */
async function orNull<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch {
    return null;
  }
}
