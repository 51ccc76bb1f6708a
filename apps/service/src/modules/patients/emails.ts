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
import { emailEnd, emailHead, emailTime, subjectOf } from '../../server/email-head.ts';
import { waitingFormsBeside } from './sign-up.store.ts';
import { findAccount } from './store.ts';

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
  email: AccountEmail,
  patientId: string,
  now: number,
): Promise<void> {
  await outbox.enqueue(tx, OUTBOX_KIND, { email, patientId, at: now }, now);
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
  const head = emailHead(config);
  outbox.handle(OUTBOX_KIND, async ({ email, patientId, at }, key) => {
    if (typeof patientId !== 'string') throw new Error('This outbox row is no account email');
    const now = clock.now();
    const written =
      email === 'confirmEmail'
        ? await confirmation(platform, patientId, now)
        : await toOwner(platform, { email, patientId, key, at: typeof at === 'number' ? at : now });
    if (written === null) return;
    const { to, subject, lines } = written;
    const said = [...lines, '', ...emailEnd(head)].join('\n');
    await mail.send({ key: `account:${key}`, to, subject: subjectOf(subject, head), text: said });
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
  const waiting = await waitingFormsBeside(database.db, formId, now);
  const [newest] = waiting;
  if (newest === undefined) return null;
  const forms = waiting.map(({ id, createdAt, expiresAt }) => {
    const secret = confirmToken(keyring, id);
    const link = `${config.publicUrl}/confirm/${secret}`;
    const validUntil = expiresAt ?? now + CODE_VALID_FOR.confirm;
    return { id, secret, link, filledIn: createdAt, validUntil };
  });
  await database.inTransaction(async (tx) => {
    for (const { id, secret, validUntil } of forms) {
      const validFor = validUntil - now;
      await issueCode(tx, keyring, {
        id,
        purpose: 'confirm',
        patientId: id,
        secret,
        now,
        validFor,
      });
    }
  });
  return {
    to: newest.email,
    subject: mailText('confirmSubject'),
    lines: [...linksOf(forms), mailText('confirmPassword'), mailText('confirmNotYou')],
  };
}

/** A sign-up form that waits for its link; instants in epoch seconds. */
interface FormToConfirm {
  readonly link: string;
  readonly filledIn: EpochSeconds;
  readonly validUntil: EpochSeconds;
}

/** One form has one link; of several only its own person can tell which one to follow. */
function linksOf(forms: readonly FormToConfirm[]): readonly string[] {
  const valid = ({ validUntil }: FormToConfirm) =>
    mailText('confirmValid', { until: clinicTime(validUntil) });
  const [first, ...others] = forms;
  if (first && others.length === 0) return [mailText('confirm'), first.link, '', valid(first)];
  return [
    mailText('confirmSeveral', { count: forms.length }),
    '',
    ...forms.flatMap((form) => [
      mailText('confirmOne', { when: clinicTime(form.filledIn) }),
      form.link,
      valid(form),
      '',
    ]),
  ];
}

const clinicTime = (at: EpochSeconds): string => emailTime(formatAppointment(at));

interface Wanted {
  readonly email: unknown;
  readonly patientId: string;
  /** Of the outbox row, the same whenever the email is sent again. */
  readonly key: string;
  readonly at: EpochSeconds;
}

async function toOwner(
  platform: Platform,
  { email, patientId, key, at }: Wanted,
): Promise<Written | null> {
  const account = await findAccount(platform.database.db, { id: patientId });
  if (account === null) return null;
  const to = account.email;
  switch (email) {
    case 'accountExists':
      return {
        to,
        subject: mailText('existsSubject'),
        lines: [
          mailText('exists'),
          mailText('existsLogin'),
          `${platform.config.publicUrl}/login`,
          '',
          mailText('existsNotYou'),
        ],
      };
    case 'resetCode': {
      const code = await issueResetCode(platform, patientId, key);
      return {
        to,
        subject: mailText('resetSubject'),
        lines: [mailText('reset'), code, '', mailText('resetValid'), mailText('resetNotYou')],
      };
    }
    case 'passwordChanged':
      return {
        to,
        subject: mailText('passwordSubject'),
        lines: [mailText('password', { when: clinicTime(at) }), mailText('passwordNotYou')],
      };
    default:
      throw new Error('This outbox row is no account email');
  }
}

async function issueResetCode(
  { database, keyring, clock }: Platform,
  patientId: string,
  id: string,
): Promise<string> {
  const code = resetCode(keyring, id);
  const now = clock.now();
  const validFor = CODE_VALID_FOR.reset;
  const secret = `${patientId}:${code}`;
  await database.inTransaction((tx) =>
    issueCode(tx, keyring, { id, purpose: 'reset', patientId, secret, now, validFor }),
  );
  return code;
}
