import { mailText } from '@clinic/contract/mail-texts';
import type { EpochSeconds } from '@clinic/domain';
import type { Tx } from '../../database/db.ts';
import type { Outbox } from '../../database/outbox.store.ts';
import type { Platform } from '../../platform.ts';
import {
  CODE_VALID_FOR,
  confirmToken,
  issueCode,
  resetCode,
} from '../../security/one-time-codes.store.ts';
import { type EmailPart, emailTime, signed } from '../../server/emails.ts';
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
  readonly parts: readonly EmailPart[];
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
    const { to, subject, parts } = written;
    await mail.send({ key: `account:${key}`, to, ...signed(config.clinic, subject, parts) });
  });
}

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
  const ofForms = links.flatMap(({ createdAt, secret, validFor }): EmailPart[] => [
    ...(count > 1 ? [mailText('confirmOne', { when: emailTime(createdAt) })] : []),
    { label: mailText('confirmHere'), link: `${config.publicUrl}/confirm/${secret}` },
    mailText('confirmValid', { until: emailTime(now + validFor) }),
  ]);
  const parts = [
    count > 1 ? mailText('confirmSeveral', { count }) : mailText('confirm'),
    ...ofForms,
    mailText('confirmPassword'),
    mailText('confirmNotYou'),
  ];
  return { to: newest.email, subject: mailText('confirmSubject'), parts };
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
      const login = { label: mailText('existsLogin'), link: `${config.publicUrl}/login` };
      const parts = [mailText('exists'), login, mailText('existsNotYou')];
      return { to, subject: mailText('existsSubject'), parts };
    }
    case 'resetCode': {
      const code = resetCode(keyring, key);
      const made = { id: key, patientId, secret: `${patientId}:${code}`, now: clock.now() };
      await database.inTransaction((tx) =>
        issueCode(tx, keyring, { ...made, purpose: 'reset', validFor: CODE_VALID_FOR.reset }),
      );
      const parts = [mailText('reset'), [code], mailText('resetValid'), mailText('resetNotYou')];
      return { to, subject: mailText('resetSubject'), parts };
    }
    case 'passwordChanged': {
      const parts = [mailText('password', { when: emailTime(at) }), mailText('passwordNotYou')];
      return { to, subject: mailText('passwordSubject'), parts };
    }
    default:
      throw new Error('This outbox row is no account email');
  }
}
