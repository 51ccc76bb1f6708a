import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { normaliseEmail } from '@clinic/domain';
import { spentProof } from '../../schema.ts';
import { CODE_VALID_FOR } from '../../security/code-secrets.ts';
import { issueCode } from '../../security/one-time-codes.store.ts';
import { accountOf } from './accounts.store.ts';
import { type KeptOut, whyKeptOut } from './sign-in.ts';

/** How far the dashboard's clock may be from ours, in seconds. */
const TIME_WINDOW = 60;
/** Tells a link from a session without asking the database. */
const LINK = 'link_';

export const isLinkToken = (token: string): boolean => /^link_[\w-]{43}$/.test(token);

export type LinkPorts = Pick<Platform, 'database' | 'keyring' | 'ids' | 'appendAudit' | 'config'>;

export interface LinkRequest {
  readonly email: string;
  readonly selectedAppType: string;
  /** The body as it came, over which the dashboard signs. */
  readonly rawJson: string;
  readonly time: string;
  readonly signature: string;
  readonly now: number;
}

export type Minted =
  | { readonly kind: 'minted'; readonly url: string; readonly expiresAt: number }
  | {
      readonly kind: 'refused';
      readonly code: 'dashboardClosed' | 'dashboardRefused' | 'notFound' | KeptOut;
    };

/** a one-time sign-in link for the dashboard that knows the secret. */
export async function mintLink(ports: LinkPorts, request: LinkRequest): Promise<Minted> {
  const { config, database, keyring, ids } = ports;
  const { now, time, signature, rawJson } = request;
  const { dashboardSecret } = config;
  if (dashboardSecret === null) return { kind: 'refused', code: 'dashboardClosed' };
  const isInTime = Math.abs(now - Number(time)) <= TIME_WINDOW;
  const expected = dashboardSignature(dashboardSecret, time, rawJson);
  const isSigned = timingSafeEqual(Buffer.from(expected, 'hex'), Buffer.from(signature, 'hex'));
  if (!isInTime || !isSigned) return { kind: 'refused', code: 'dashboardRefused' };

  return database.inTransaction<Minted>(async (tx) => {
    if (!(await spend(tx, signature, Number(time)))) {
      return { kind: 'refused', code: 'dashboardRefused' };
    }
    const account = await accountOf(tx, normaliseEmail(request.email));
    if (account === null) return { kind: 'refused', code: 'notFound' };
    const code = whyKeptOut(account);
    if (code !== null) return { kind: 'refused', code };
    const token = `${LINK}${ids.token()}`;
    await issueCode(tx, keyring, {
      id: ids.uuid(),
      purpose: 'dashboard',
      patientId: account.id,
      secret: token,
      now,
      validFor: CODE_VALID_FOR.dashboard,
    });
    const subject = `patient:${account.id}`;
    await ports.appendAudit(tx, {
      actor: 'system:dashboard',
      action: 'sign-in link made',
      subject,
      at: now,
    });
    return {
      kind: 'minted',
      url: `${config.publicUrl}/auth/${token}/${request.selectedAppType}`,
      expiresAt: now + CODE_VALID_FOR.dashboard,
    };
  });
}

/** Hex HMAC-SHA-256 of `<time>.<body>`. */
export function dashboardSignature(secret: string, time: string, body: string): string {
  return createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
}

/** A signature is good once; it is remembered for as long as its time would be believed. */
async function spend(tx: Tx, signature: string, time: number): Promise<boolean> {
  const proofHash = createHash('sha256').update(`dashboard:${signature}`).digest();
  const fresh = await tx
    .insert(spentProof)
    .values({ proofHash, expiresAt: time + 2 * TIME_WINDOW })
    .onConflictDoNothing()
    .returning({ proofHash: spentProof.proofHash });
  return fresh.length === 1;
}
