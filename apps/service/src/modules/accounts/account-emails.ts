import { mailText } from '@clinic/contract/mail-texts';
import { type EpochSeconds, accessOf, mailedLink, normaliseEmail } from '@clinic/domain';
import type { Locale } from '@clinic/texts';
import type { Tx } from '../../database/db.ts';
import type { Outbox, OutboxHandler } from '../../database/outbox.store.ts';
import type { Platform } from '../../platform.ts';
import {
  CODE_VALID_FOR,
  confirmToken,
  issueCode,
  resetCode,
} from '../../security/one-time-codes.store.ts';
import {
  type EmailPart,
  emailTime,
  intoAccount,
  shortTime,
  signed,
} from '../../server/email-layout.ts';
import { refusedDocuments } from '../documents/index.ts';
import { unclearInEmr } from '../records/index.ts';
import { emailBeforeLink } from './sign-up/account-link.store.ts';
import { standingOfAddress } from './address/address-change.store.ts';
import { findAccount } from './store.ts';
import { waitingFormsBeside } from './sign-up/sign-ups.store.ts';

/** The kind of these outbox rows, also of rows in older databases. */
const OUTBOX_KIND = 'account-email';

type AccountEmail =
  | 'confirmEmail'
  | 'accountExists'
  | 'resetCode'
  | 'passwordChanged'
  | 'documentRefused'
  | 'detailsCorrected'
  | 'chartDecided';

/**
 * Enqueues an email. Its row holds no secret, and names the person only by the id of an account or a
 * sign-up form. An unknown id sends nothing, so a request for an absent account costs the same row.
 */
export async function enqueueAccountEmail(
  outbox: Outbox,
  tx: Tx,
  message: {
    readonly email: AccountEmail;
    readonly patientId: string;
    readonly at: number;
    /** Only for 'documentRefused'. */
    readonly documentId?: string;
    /** The address has had its emails of the hour: this one counts when it is sent. */
    readonly isLate?: boolean;
  },
  dueAt: number = message.at,
): Promise<void> {
  await outbox.enqueue(tx, OUTBOX_KIND, message, dueAt);
}

/** What an email says; nothing of the person but the address it goes to. */
interface Written {
  readonly to: string;
  readonly locale: Locale;
  readonly subject: string;
  readonly parts: readonly EmailPart[];
}

/**
 * These say again what an earlier one of theirs says that still waits, and a newer code ends the older. The
 * others each tell of something that was done, and when.
 */
const SAY_ALL: readonly unknown[] = [
  'confirmEmail',
  'accountExists',
  'resetCode',
  'documentRefused',
  'chartDecided',
];

/** Writes and sends the emails; codes are made here, when they are mailed. */
export function handleAccountEmails(platform: Platform): void {
  const { outbox, mail, clock, config, rateLimit } = platform;
  const send: OutboxHandler = async (payload, key, attempts, { replaced }) => {
    const { email, patientId, at } = payload;
    if (typeof patientId !== 'string') throw new Error('This outbox row is no account email');
    const now = clock.now();
    if (email === 'resetCode' && typeof at === 'number' && now >= at + CODE_VALID_FOR.reset)
      return 'tooLate';
    const written =
      email === 'confirmEmail'
        ? await confirmation(platform, patientId, now)
        : await toOwner(
            platform,
            { ...payload, patientId, at: typeof at === 'number' ? at : now },
            key,
          );
    if (written === null) return;
    const { to, locale, subject, parts } = written;
    // A try after the first is of an email that counts already.
    if (attempts === 1 && [...replaced, payload].every(({ isLate }) => isLate === true)) {
      const full = await rateLimit.use(config.rates.mailsPerAccount, normaliseEmail(to), now);
      if (full !== null) return { until: now + (full.details.retryAfter ?? 0) };
    }
    await mail.send({
      key: `account:${key}`,
      to,
      ...signed(locale, config.clinic, subject, parts),
    });
  };
  outbox.handle(OUTBOX_KIND, send, ({ email }) => SAY_ALL.includes(email));
}

/**
 * Writes the links of all waiting forms of the address, since only the person who filled a form in knows
 * which is theirs. A form has one link, however often it is mailed.
 */
async function confirmation(
  { database, keyring, config }: Platform,
  formId: string,
  now: EpochSeconds,
): Promise<Written | null> {
  const forms = await waitingFormsBeside(database.db, formId, now);
  const [newest] = forms;
  if (newest === undefined) return null;
  const locale = newest.language;
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
    ...(count > 1 ? [mailText(locale, 'confirmOne', { when: shortTime(locale, createdAt) })] : []),
    {
      label: mailText(locale, 'confirmHere'),
      link: mailedLink(config.publicUrl, 'signUp', secret),
    },
    mailText(locale, 'confirmValid', { until: emailTime(locale, now + validFor) }),
  ]);
  const parts = [
    count > 1 ? mailText(locale, 'confirmSeveral', { count }) : mailText(locale, 'confirm'),
    ...ofForms,
    mailText(locale, 'confirmPassword'),
    mailText(locale, 'confirmNotYou'),
  ];
  return { to: newest.email, locale, subject: mailText(locale, 'confirmSubject'), parts };
}

type Wanted = Parameters<OutboxHandler>[0] & {
  readonly patientId: string;
  readonly at: EpochSeconds;
};

async function toOwner(
  { database, keyring, clock, config }: Platform,
  { email, patientId, at, documentId, linkId }: Wanted,
  /** Of the outbox row, the same whenever the email is sent again. */
  key: string,
): Promise<Written | null> {
  const account = await findAccount(database.db, { id: patientId });
  if (account === null) return null;
  const { email: to, language: locale } = account;
  const access = accessOf(account);
  const when = emailTime(locale, at);
  const say = (code: MailCode) => mailText(locale, code, { when });
  const linkTo = (label: MailCode, page: 'logIn' | 'myAccount') => {
    const link = mailedLink(config.publicUrl, page);
    return intoAccount(locale, access.signIn, { label: say(label), link });
  };
  const written = (subject: MailCode, ...parts: EmailPart[]): Written => ({
    to,
    locale,
    subject: say(subject),
    parts,
  });
  switch (email) {
    case 'accountExists': {
      const login = linkTo('existsLogin', 'logIn');
      return written('existsSubject', say('exists'), login, say('existsNotYou'));
    }
    case 'resetCode': {
      if (!(await standingOfAddress(database.db, patientId, clock.now())).recovers) return null;
      const code = resetCode(keyring, key);
      const made = { id: key, patientId, secret: `${patientId}:${code}`, now: clock.now() };
      await database.inTransaction((tx) =>
        issueCode(tx, keyring, { ...made, purpose: 'reset', validFor: CODE_VALID_FOR.reset }),
      );
      const valid = [say('resetValid'), say('resetNotYou')];
      return written('resetSubject', say('reset'), [code], ...valid);
    }
    case 'passwordChanged':
      return written('passwordSubject', say('password'), say('passwordNotYou'));
    case 'documentRefused': {
      const refused = await refusedDocuments({ keyring }, database.db, patientId);
      const found = refused.find(({ id }) => id === documentId);
      // The document was accepted since, so there is no refusal to tell.
      if (found === undefined) return null;
      return written(
        'documentRefusedSubject',
        say(found.document === 'healthCard' ? 'cardRefused' : 'pictureIdRefused'),
        [found.reason],
        ...(access.booksOnline ? [say('documentAgain')] : []),
        linkTo('documentWhere', 'myAccount'),
      );
    }
    case 'emailChanging': {
      // The account may have the new address by now, but the old one must hear of the change.
      const before =
        typeof linkId === 'string' ? await emailBeforeLink(database.db, linkId) : account.email;
      // Of a version in which the new address counted once its link was opened.
      const notice = written('oldEmailSubject', say('oldEmailReleased'), say('correctedNotYou'));
      return before === null ? null : { ...notice, to: before };
    }
    case 'detailsCorrected': {
      const link = linkTo('correctedWhere', 'myAccount');
      return written('correctedSubject', say('corrected'), link, say('correctedNotYou'));
    }
    case 'chartDecided': {
      // It waits again, for another reason.
      if ((await unclearInEmr(database.db, account.recordId)).waitsSince !== null) return null;
      const link = linkTo('chartDecidedWhere', 'logIn');
      return written('chartDecidedSubject', say('chartDecided'), link);
    }
    default:
      throw new Error('This outbox row is no account email');
  }
}

type MailCode = Parameters<typeof mailText>[1];
