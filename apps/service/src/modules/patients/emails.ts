import { mailText } from '@clinic/contract/mail-texts';
import { type EpochSeconds, formatAppointment } from '@clinic/domain';
import type { Tx } from '../../database/db.ts';
import type { Outbox } from '../../database/outbox.store.ts';
import type { Platform } from '../../platform.ts';
import {
  CODE_VALID_FOR,
  confirmToken,
  issueCode,
  resetCode,
} from '../../security/one-time-codes.store.ts';
import { emailTime, signed } from '../../server/ports.ts';
import { findAccount, waitingFormsBeside } from './store.ts';

/** As the rows of the outbox call them, in older databases too. */
const OUTBOX_KIND = 'account-email';

type AccountEmail = 'confirmEmail' | 'accountExists' | 'resetCode' | 'passwordChanged';

/**
 * The row names nobody but by id, of an account or of a sign-up form, and holds no secret. An id of
 * neither sends nothing: whoever asks on behalf of an absent account costs the same row.
 */
export async function enqueueAccountEmail(
  outbox: Outbox,
  tx: Tx,
  message: { readonly email: AccountEmail; readonly patientId: string; readonly at: number },
): Promise<void> {
  await outbox.enqueue(tx, OUTBOX_KIND, message, message.at);
}

/** What an email says; nothing of the person but the address it goes to. */
interface Written {
  readonly to: string;
  readonly subject: string;
  readonly lines: readonly string[];
}

/** Writes and sends the emails; codes are made here, when they are mailed. */
export function handleAccountEmails(platform: Platform): void {
  const { outbox, mail, clock, config } = platform;
  outbox.handle(OUTBOX_KIND, async ({ email, patientId, at }, key) => {
    if (typeof patientId !== 'string') throw new Error('This outbox row is no account email');
    const now = clock.now();
    const written =
      email === 'confirmEmail'
        ? await confirmation(platform, patientId, now)
        : await toOwner(platform, { email, patientId, key, at: typeof at === 'number' ? at : now });
    if (written === null) return;
    const { to, subject, lines } = written;
    await mail.send({ key: `account:${key}`, to, ...signed(config.clinic, subject, lines) });
  });
}

const clinicTime = (at: EpochSeconds): string => emailTime(formatAppointment(at));

/**
 * The links of every form of the address, since only who filled one in knows which is theirs. A
 * form has one link, however often it is mailed.
 */
async function confirmation(
  { database, keyring, config }: Platform,
  formId: string,
  now: EpochSeconds,
): Promise<Written | null> {
  const forms = await waitingFormsBeside(database.db, formId, now);
  const [newest] = forms;
  if (newest === undefined) return null;
  const links = forms.map(({ id, createdAt, expiresAt }) => {
    const validFor = expiresAt === null ? CODE_VALID_FOR.confirm : expiresAt - now;
    return { id, createdAt, secret: confirmToken(keyring, id), now, validFor };
  });
  await database.inTransaction(async (tx) => {
    for (const link of links)
      await issueCode(tx, keyring, { ...link, purpose: 'confirm', patientId: link.id });
  });
  const count = links.length;
  const lines = links.flatMap(({ createdAt, secret, validFor }) => {
    const link = `${config.publicUrl}/confirm/${secret}`;
    const valid = mailText('confirmValid', { until: clinicTime(now + validFor) });
    if (count === 1) return [mailText('confirm'), link, '', valid];
    return [mailText('confirmOne', { when: clinicTime(createdAt) }), link, valid, ''];
  });
  if (count > 1) lines.unshift(mailText('confirmSeveral', { count }), '');
  lines.push(mailText('confirmPassword'), mailText('confirmNotYou'));
  return { to: newest.email, subject: mailText('confirmSubject'), lines };
}

interface Wanted {
  readonly email: unknown;
  readonly patientId: string;
  /** Of the outbox row, the same whenever the email is sent again. */
  readonly key: string;
  readonly at: EpochSeconds;
}

async function toOwner(
  { database, keyring, clock, config }: Platform,
  { email, patientId, key, at }: Wanted,
): Promise<Written | null> {
  const account = await findAccount(database.db, { id: patientId });
  if (account === null) return null;
  const to = account.email;
  switch (email) {
    case 'accountExists': {
      const login = [mailText('existsLogin'), `${config.publicUrl}/login`];
      const lines = [mailText('exists'), ...login, '', mailText('existsNotYou')];
      return { to, subject: mailText('existsSubject'), lines };
    }
    case 'resetCode': {
      const code = resetCode(keyring, key);
      const made = { id: key, patientId, secret: `${patientId}:${code}`, now: clock.now() };
      await database.inTransaction((tx) =>
        issueCode(tx, keyring, { ...made, purpose: 'reset', validFor: CODE_VALID_FOR.reset }),
      );
      const lines = [mailText('reset'), code, '', mailText('resetValid'), mailText('resetNotYou')];
      return { to, subject: mailText('resetSubject'), lines };
    }
    case 'passwordChanged': {
      const lines = [mailText('password', { when: clinicTime(at) }), mailText('passwordNotYou')];
      return { to, subject: mailText('passwordSubject'), lines };
    }
    default:
      throw new Error('This outbox row is no account email');
  }
}
