import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PasskeyAnswer, PasskeyMade } from '../src/security/passkeys.ts';

/** What a device, or whoever forges one, may do otherwise. */
export interface DeviceSays {
  /** Of the page that asks. */
  readonly origin?: string;
  readonly rpId?: string;
  /** Whether it knows its owner by a finger, a face or a PIN. */
  readonly isVerified?: boolean;
  /** How often it says it was used; counted by itself where left out. */
  readonly count?: number;
  readonly type?: string;
  /** The format of a statement of who made it. */
  readonly format?: string;
}

const sha256 = (data: string | Uint8Array) => createHash('sha256').update(data).digest();
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const uint = (value: number, length: number) => {
  const bytes = Buffer.alloc(length);
  bytes.writeUIntBE(value, 0, length);
  return bytes;
};

/** CBOR, as much of it as a device writes: texts below 24 bytes, byte strings below 64 KiB. */
const cborText = (text: string) => Buffer.from([0x60 + text.length, ...Buffer.from(text)]);
const cborBytes = (bytes: Uint8Array) =>
  Buffer.concat([Buffer.from([0x59]), uint(bytes.length, 2), bytes]);

/** Made by a device that counts nothing, as phones do, or that counts from 1 on. */
export function aPasskeyDevice({ counts = true } = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  let used = 0;

  const said = (
    type: string,
    challenge: string,
    { origin = 'http://localhost:3000' }: DeviceSays,
  ) => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

  function data(flags: number, { rpId = 'localhost', isVerified = true, count }: DeviceSays) {
    if (counts) used += 1;
    const present = 0x01 | (isVerified ? 0x04 : 0);
    return Buffer.concat([sha256(rpId), uint(flags | present, 1), uint(count ?? used, 4)]);
  }

  /** COSE: an ES256 key on P-256. */
  function coseKey() {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    return Buffer.concat([
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]);
  }

  return {
    id: base64url(id),
    make(challenge: string, over: DeviceSays = {}): PasskeyMade {
      const key = [Buffer.alloc(16), uint(id.length, 2), id, coseKey()];
      const authData = Buffer.concat([data(0x40, over), ...key]);
      const attestation = [
        Buffer.from([0xa3]),
        cborText('fmt'),
        cborText(over.format ?? 'none'),
        cborText('attStmt'),
        Buffer.from([0xa0]),
        cborText('authData'),
        cborBytes(authData),
      ];
      return {
        id: base64url(id),
        clientDataJSON: base64url(said(over.type ?? 'webauthn.create', challenge, over)),
        attestationObject: base64url(Buffer.concat(attestation)),
      };
    },
    show(challenge: string, over: DeviceSays = {}): PasskeyAnswer {
      const client = said(over.type ?? 'webauthn.get', challenge, over);
      const authData = data(0, over);
      const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), privateKey);
      return {
        id: base64url(id),
        clientDataJSON: base64url(client),
        authenticatorData: base64url(authData),
        signature: base64url(signature),
      };
    },
  };
}

export type PasskeyDevice = ReturnType<typeof aPasskeyDevice>;
