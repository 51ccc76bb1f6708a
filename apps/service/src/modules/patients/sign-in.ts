import { normaliseEmail } from '@clinic/domain';
import { type Captcha, checkProof } from '../../server/captcha.ts';
import type { AppendAudit } from '../../security/audit.ts';
import type { Database } from '../../database/db.ts';
import type { Keyring } from '../../security/keyring.ts';
import {
  type RateLimit,
  type RateRule,
  countInTurn,
  giveBackAll,
} from '../../server/rate-limit.ts';
import { type Refusal, refuse } from '../../server/refusal.ts';
import type { Sessions } from '../../security/sessions.ts';
import type { Ids } from '../../server/ids.ts';
import { type Account, isPasswordStill } from './accounts.store.ts';
import { guessLimits } from './device.ts';
import { keepDevice } from './known-devices.store.ts';

export interface SignInPorts {
  readonly captcha: Pick<Captcha, 'verify'>;
  readonly rateLimit: Pick<RateLimit, 'use' | 'giveBack'>;
  readonly rates: { readonly loginPerAccount: RateRule; readonly loginPerAddress: RateRule };
  readonly findAccount: (email: string) => Promise<Account | null>;
  /** Whether the password fits; takes as long when there is no account (null). */
  readonly passwordMatches: (password: string, stored: string | null) => Promise<boolean>;
  readonly database: Pick<Database, 'db' | 'inTransaction'>;
  readonly sessions: Pick<Sessions, 'start'>;
  readonly appendAudit: AppendAudit;
  readonly keyring: Pick<Keyring, 'mac'>;
  readonly ids: Ids;
}

export interface SignInRequest {
  readonly email: string;
  readonly password: string;
  readonly proof: string;
  readonly address: string;
  /** 'Chrome on Android', as far as the browser says. */
  readonly device: string;
  /** What the browser's cookie holds, once it signed in to some account; null before. */
  readonly deviceToken: string | null;
  readonly now: number;
}

export type KeptOut = 'accountBlocked' | 'notVisible';

export interface SignedInNow {
  readonly token: string;
  readonly deviceToken: string;
}

/**
 * §5 Login. Nothing that an outsider can see differs between an absent account and a wrong password
 * (S-7): what is wrong with an account is only said to whoever knows its password.
 */
export async function signIn(
  ports: SignInPorts,
  request: SignInRequest,
): Promise<SignedInNow | Refusal> {
  const { now } = request;
  const email = normaliseEmail(request.email);
  const unproven = await checkProof(ports.captcha, request.proof, now);
  if (unproven !== null) return unproven;

  const account = await ports.findAccount(email);
  const { address, deviceToken } = request;
  const { loginPerAccount: perAccount, loginPerAddress: perAddress } = ports.rates;
  const limits = await guessLimits(
    { db: ports.database.db, ids: ports.ids },
    { perAccount, perAddress },
    { email, patientId: account?.id ?? null, address, deviceToken, now },
  );
  // Counted before the password is tried, so that parallel guesses count too.
  const tooMany = await countInTurn(ports.rateLimit, now, limits);
  if (tooMany !== null) return tooMany;

  const matches = await ports.passwordMatches(request.password, account?.passwordHash ?? null);
  const code = account === null || !matches ? 'wrongCredentials' : whyKeptOut(account);
  if (account === null || code !== null) {
    return refuseAudited(ports, email, code ?? 'wrongCredentials', now);
  }

  await giveBackAll(ports.rateLimit, now, limits);
  const keptToken = deviceToken ?? ports.ids.token();
  const token = await ports.database.inTransaction(async (tx) => {
    // A reset that came meanwhile has ended the sessions already; none may start behind it.
    if (!(await isPasswordStill(tx, account))) return null;
    const actor = `patient:${account.id}`;
    await ports.appendAudit(tx, { actor, action: 'signed in', subject: actor, at: now });
    await keepDevice(tx, account.id, keptToken, now);
    return ports.sessions.start(tx, account.id, now, { device: request.device });
  });
  if (token !== null) return { token, deviceToken: keptToken };
  return refuseAudited(ports, email, 'wrongCredentials', now);
}

/** */
export function whyKeptOut(account: Pick<Account, 'blocked' | 'visibility'>): KeptOut | null {
  if (account.blocked) return 'accountBlocked';
  if (!account.visibility.includes('appointment')) return 'notVisible';
  return null;
}

/** The same row for an absent account: the address stands in it only under the audit's key. */
async function refuseAudited(
  ports: SignInPorts,
  email: string,
  code: 'wrongCredentials' | KeptOut,
  at: number,
): Promise<Refusal> {
  const subject = `account:${Buffer.from(ports.keyring.mac('audit.email', email)).toString('hex', 0, 16)}`;
  await ports.database.inTransaction((tx) =>
    ports.appendAudit(tx, {
      actor: 'visitor',
      action: 'sign-in refused',
      subject,
      details: { code },
      at,
    }),
  );
  return refuse(code);
}
