import { isIP } from 'node:net';

/** The site that a passkey is bound to, and the one page that may ask for it. */
export interface PasskeySite {
  readonly id: string;
  readonly origin: string;
}

/** ES256, EdDSA and RS256: what devices make today. */
export const PASSKEY_ALGORITHMS: readonly number[] = [-7, -8, -257];

/**
 * A passkey belongs to a host name, never to an IP address. For this machine's own address the name is
 * `localhost`. Null at other IP addresses and over plain http, where browsers offer no passkeys.
 */
export function passkeySite(publicUrl: string): PasskeySite | null {
  const { protocol, hostname, port } = new URL(publicUrl);
  const isHere = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
  if (isHere)
    return { id: 'localhost', origin: `${protocol}//localhost${port === '' ? '' : `:${port}`}` };
  if (protocol !== 'https:' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return null;
  return { id: hostname, origin: new URL(publicUrl).origin };
}

/** The answer of a passkey as the browser sends it, each part in base64url. */
export interface PasskeyAnswer {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
}
export type PasskeyMade = Pick<PasskeyAnswer, 'id' | 'clientDataJSON'> & {
  readonly attestationObject: string;
};

/** Costs a quarter of a second and 27 MB: loaded for the first passkey, not at every start. */
const library = () => import('@simplewebauthn/server');
const helpers = () => import('@simplewebauthn/server/helpers');

/** The challenge that the browser says it answers; null when its data has none. */
export function challengeIn({ clientDataJSON }: Pick<PasskeyAnswer, 'clientDataJSON'>) {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString('utf8'));
    const { challenge } = Object(data) as { readonly challenge?: unknown };
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/**
 * The passkey that a device has made for a challenge, or null. The attestation, which names the maker of
 * the device, is dropped unread: it could name addresses that the service would then request.
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
    // The id in the device's data counts, not the one that the page sends.
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

/** The device's count of uses of the passkey when it signed this challenge; else null. */
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
      // The library need not check that the count grows: the caller does, where it stores the count.
      credential: { id, publicKey: new Uint8Array(publicKey), counter: 0 },
    });
    return verified ? authenticationInfo.newCounter : null;
  });
}

/** Null when the library throws, which it does for every fault, from the first byte to the signature. */
async function orNull<Value>(read: () => Promise<Value>): Promise<Value | null> {
  try {
    return await read();
  } catch {
    return null;
  }
}
