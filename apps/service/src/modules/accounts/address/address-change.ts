import { calls } from '@clinic/contract';
import { mailText } from '@clinic/contract/mail-texts';
import {
  ADDRESS_WAITS,
  type EpochSeconds,
  type IdentityCheck,
  type IdentityWrite,
  REMINDED_AFTER,
  mailedLink,
  mayAnswer,
  normaliseEmail,
  takesEffect,
  waitsUntil,
  whyIdentityStands,
} from '@clinic/domain';
import { ENGLISH, type Locale } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Db, Tx } from '../../../database/db.ts';
import type { Platform } from '../../../platform.ts';
import { type Who, actorOf, ofPatient } from '../../../security/audit.store.ts';
import type { Keyring } from '../../../security/keyring.ts';
import { endCode } from '../../../security/one-time-codes.store.ts';
import { type EmailPart, emailTime, signed } from '../../../server/email-layout.ts';
import { DONE } from '../../../server/responses.ts';
import { route } from '../../../server/http.ts';
import { Refusal, refuse } from '../../../server/refusal.ts';
import { type AccountLink, endLinksOf, openLink, takeLink } from '../sign-up/account-link.store.ts';
import {
  type EmailChange,
  changeOf,
  changeOfToken,
  changesOf,
  decideStopped,
  endWaiting,
  openChangeOf,
  standingOfAddress,
  updateChange,
  waitingChanges,
} from './address-change.store.ts';
import {
  accountsOfRecords,
  findAccount,
  findOpenAccount,
  lockAccount,
  updatePatient,
} from '../store.ts';
import { endFormsOf } from '../sign-up/sign-ups.store.ts';

// An email address that staff corrected waits, and the mailbox before is told and may stop it.

const OUTBOX_KIND = 'address-change';
const CONTEXT = 'address-change';
export const CORRECTION_BEGUN = 'email correction begun';
const SAID = ['begun', 'reminder', 'done', 'over'] as const;
type Said = (typeof SAID)[number];

/** Derived from the row's id, as the tokens of other mailed links are. */
const tokenOf = (keyring: Pick<Keyring, 'mac'>, id: string): string =>
  Buffer.from(keyring.mac(CONTEXT, id)).toString('base64url');

/** Tells the mailbox before of a change. The row names nobody. */
export const tellMailboxBefore = (
  { outbox }: Pick<Platform, 'outbox'>,
  tx: Tx,
  says: { readonly changeId: string; readonly said: Said; readonly at: EpochSeconds },
): Promise<string> => outbox.enqueue(tx, OUTBOX_KIND, says, says.at);

/** Who writes who an account belongs to at the front desk. */
export interface Decider {
  /** Whether they are a manager, who decides once they have seen a photo ID. */
  readonly mayDecide: boolean;
  readonly isFactorRecent: boolean;
}
export const NO_DECIDER: Decider = { mayDecide: false, isFactorRecent: false };

/** Whether this is a decision by who saw a photo ID; refused without a recent factor, as other decisions. */
export function isDecided(by: Decider, checked: IdentityCheck): Refusal | boolean {
  if (!by.mayDecide || checked !== 'photoIdSeen') return false;
  return by.isFactorRecent || refuse('factorNeeded');
}

/** Why an account may not be written to like this now; null when it may. Ask it under the account's lock. */
export async function refusedByStanding(
  db: Db,
  patientId: string,
  write: IdentityWrite,
  now: EpochSeconds,
  { by = NO_DECIDER, checked = 'calledBack' }: { by?: Decider; checked?: IdentityCheck } = {},
): Promise<Refusal | null> {
  const standing = await standingOfAddress(db, patientId, now);
  const anybodys = whyIdentityStands(standing, write, false);
  // A factor is asked for only where a decision is needed.
  const decided = anybodys !== null && isDecided(by, checked);
  if (decided instanceof Refusal) return decided;
  const why = decided ? whyIdentityStands(standing, write, true) : anybodys;
  const from = write === 'account' ? standing.reopensAt : standing.settledAt;
  const until = (locale: Locale) => emailTime(locale, from ?? now);
  return why && refuse(why, why === 'addressUnsettled' ? { values: { until } } : {});
}

/** Why no account may be opened at this address for a record that has, or had, one; null when it may. */
export async function refusedByRecord(
  db: Db,
  recordId: string,
  email: string,
  now: EpochSeconds,
): Promise<Refusal | null> {
  for (const { id, email: theirs } of await accountsOfRecords(db, [recordId])) {
    const refused = await refusedByStanding(db, id, 'account', now);
    // The same mailbox is the same owner's, unless it was stopped as somebody else's.
    const isSame = normaliseEmail(theirs) === normaliseEmail(email);
    if (refused !== null && !(isSame && refused.code === 'addressUnsettled')) return refused;
  }
  return null;
}

/** Says that the link to the new address was opened. From when on it counts, null for at once, or why not. */
export async function proveAddress(
  platform: Platform,
  { id, patientId }: Pick<AccountLink, 'id' | 'patientId'>,
  now: EpochSeconds,
): Promise<Refusal | EpochSeconds | null> {
  if (patientId === null) return refuse('accountLinkOver');
  const outcome = await platform.database.inTransactionOrConflict<Refusal | EpochSeconds | null>(
    async (tx, rollBack) => {
      await lockAccount(tx, patientId);
      const waiting = await openChangeOf(tx, patientId);
      const isIt = waiting?.id === id && waiting.stoppedAt === null;
      if (!isIt || !(await takeLink(tx, id, now))) return refuse('accountLinkOver');
      const proven = { ...waiting, provenAt: waiting.provenAt ?? now };
      if (!takesEffect(proven, now)) {
        if ((await findOpenAccount(tx, normaliseEmail(waiting.email))) !== null)
          return rollBack(refuse('emailTaken'));
        await updateChange(tx, waiting.id, { provenAt: proven.provenAt });
        return waitsUntil(waiting);
      }
      return (await takeEffect(platform, tx, proven, now)) ? null : rollBack(refuse('emailTaken'));
    },
  );
  // Somebody signed up with the address at the same moment.
  return outcome.kind === 'conflict' ? refuse('emailTaken') : outcome.value;
}

/** Moves an account to its new address, and ends sessions and codes mailed to the old. False when it is taken. */
async function takeEffect(
  platform: Platform,
  tx: Tx,
  { id, patientId, email: asked, provenAt }: EmailChange,
  now: EpochSeconds,
): Promise<boolean> {
  const { sessions, appendAudit } = platform;
  const email = normaliseEmail(asked);
  if ((await findOpenAccount(tx, email)) !== null) return false;
  await updateChange(tx, id, { provenAt, doneAt: now });
  await updatePatient(tx, patientId, { email });
  await endFormsOf(tx, email, now);
  await endCodes(tx, patientId, now);
  await sessions.endAll(tx, patientId, now);
  await appendAudit(tx, ofPatient(patientId, 'email changed', now));
  await tellMailboxBefore(platform, tx, { changeId: id, said: 'done', at: now });
  return true;
}

export async function endCodes(tx: Tx, patientId: string, now: EpochSeconds): Promise<void> {
  await endCode(tx, 'reset', patientId, now);
  await endCode(tx, 'recovery', patientId, now);
}

/** Lets what waits of an account count as soon as it may. False when nothing waits. */
async function release(platform: Platform, tx: Tx, change: EmailChange, now: EpochSeconds) {
  const released = { ...change, releasedAt: now };
  await updateChange(tx, change.id, { releasedAt: now });
  if (takesEffect(released, now) && !(await takeEffect(platform, tx, released, now)))
    return refuse('emailTaken');
  return null;
}

/** A manager who has seen a photo ID decides which address counts. Null when done. */
export async function decideAddress(
  platform: Platform,
  patientId: string,
  counts: 'new' | 'present',
  { actor, now }: Who,
): Promise<Refusal | null> {
  const { database, appendAudit } = platform;
  const outcome = await database.inTransactionOrConflict<Refusal | null>(async (tx, rollBack) => {
    await lockAccount(tx, patientId);
    const open = await openChangeOf(tx, patientId);
    // Sent again after a lost answer, or a colleague decided the same.
    const isReleased = open !== null && open.stoppedAt === null && open.releasedAt !== null;
    if (counts === 'new' && isReleased) return null;
    if (open === null) {
      const [newest] = await changesOf(tx, patientId);
      const isSo = counts === 'present' || (newest?.doneAt ?? null) !== null;
      return isSo ? null : refuse('noAddressWaits');
    }
    const stopped = await decideStopped(tx, patientId, now);
    const done = stopped.some(({ doneAt }) => doneAt !== null);
    if (counts === 'present') {
      await endWaiting(tx, patientId, now);
      const account = await findAccount(tx, { id: patientId });
      if (account !== null) await endLinksOf(tx, account.recordId, now);
      // The mailbox before has stopped it itself, or is told that nothing comes of it.
      if (stopped.length === 0)
        await tellMailboxBefore(platform, tx, { changeId: open.id, said: 'over', at: now });
    } else if (!done) {
      const change = { ...open, stoppedAt: null, decidedAt: null };
      await updateChange(tx, open.id, { stoppedAt: null, decidedAt: null });
      const refused = await release(platform, tx, change, now);
      if (refused !== null) return rollBack(refused);
    }
    const entry = ofPatient(patientId, 'email decided', now, { counts, checked: 'photoIdSeen' });
    await appendAudit(tx, { ...entry, actor });
    return null;
  });
  return outcome.kind === 'conflict' ? refuse('emailTaken') : outcome.value;
}

/** The call behind the link that the mailbox before is mailed, and the emails with it. */
export function registerAddressChanges(app: FastifyInstance, platform: Platform): void {
  const { database, keyring, outbox, mail, clock, config, appendAudit, sessions } = platform;

  outbox.handle(OUTBOX_KIND, async ({ changeId, said, at }, key) => {
    const change = typeof changeId === 'string' ? await changeOf(database.db, changeId) : null;
    const says = SAID.find((each) => each === said);
    if (change === null || says === undefined || typeof at !== 'number') return;
    const token = tokenOf(keyring, change.id);
    const tokenHash = keyring.blindIndex(CONTEXT, token);
    await database.inTransaction((tx) => updateChange(tx, change.id, { tokenHash }));
    const account = await findAccount(database.db, { id: change.patientId });
    const locale = account?.language ?? ENGLISH.id;
    const link = mailedLink(config.publicUrl, 'addressChange', token);
    const { subject, parts } = written(locale, change, says, { at, link, now: clock.now() });
    const to = change.emailBefore;
    const email = signed(locale, config.clinic, subject, parts);
    await mail.send({ key: `address-change:${key}`, to, ...email });
  });

  route(app, calls.answerAddressChange, async ({ body, address, countUses, now }) => {
    const counted = await countUses([[config.rates.recoveryPerAddress, address]]);
    if (counted instanceof Refusal) return counted;
    const found = await changeOfToken(database.db, keyring.blindIndexes(CONTEXT, body.token));
    if (found === null) return refuse('addressAnswered');
    const { id, patientId } = found;
    const actor = 'mailbox';
    const outcome = await database.inTransactionOrConflict<Refusal | null>(async (tx, rollBack) => {
      await lockAccount(tx, patientId);
      const change = await changeOf(tx, id);
      if (change === null) return rollBack(refuse('addressAnswered'));
      const may = mayAnswer(change, now);
      // Sent again after a lost answer.
      if (body.answer === 'stop' && change.stoppedAt !== null && change.decidedAt === null)
        return null;
      if (body.answer === 'confirm' && change.releasedAt !== null && change.stoppedAt === null)
        return null;
      if (!may[body.answer]) return refuse('addressAnswered');
      if (body.answer === 'stop') {
        await updateChange(tx, id, { stoppedAt: now });
        // Sessions begun by the new address end, and no code that was mailed there counts.
        if (change.doneAt !== null) {
          await endCodes(tx, patientId, now);
          await sessions.endAll(tx, patientId, now);
        }
      } else {
        const refused = await release(platform, tx, change, now);
        if (refused !== null) return rollBack(refused);
      }
      const action = body.answer === 'stop' ? 'email change stopped' : 'email change confirmed';
      await appendAudit(tx, { ...ofPatient(patientId, action, now), actor });
      return null;
    });
    const refused = outcome.kind === 'conflict' ? refuse('addressAnswered') : outcome.value;
    if (refused === null) platform.realtime.sayToDesk();
    return refused ?? DONE;
  });
}

function written(
  locale: Locale,
  change: EmailChange,
  said: Said,
  {
    at,
    link,
    now,
  }: { readonly at: number; readonly link: ReturnType<typeof mailedLink>; now: number },
) {
  const when = emailTime(locale, at);
  const until = emailTime(locale, waitsUntil(change));
  const about = {
    begun: () =>
      change.releasedAt === null
        ? mailText(locale, 'oldEmail', { when, until })
        : mailText(locale, 'oldEmailReleased', { when }),
    reminder: () => mailText(locale, 'oldEmailReminder', { until }),
    done: () => mailText(locale, 'oldEmailDone', { when }),
    over: () => mailText(locale, 'oldEmailOver'),
  };
  const subject = {
    begun: 'oldEmailSubject',
    reminder: 'oldEmailSubject',
    done: 'oldEmailDoneSubject',
    over: 'oldEmailOverSubject',
  } as const;
  const may = mayAnswer(change, now);
  const parts: EmailPart[] = [about[said]()];
  if (said !== 'over' && may.stop)
    parts.push({ label: mailText(locale, may.confirm ? 'oldEmailAnswer' : 'oldEmailStop'), link });
  parts.push(mailText(locale, 'correctedNotYou'));
  return { subject: mailText(locale, subject[said]), parts };
}

/** Lets the addresses count that have waited, gives up those whose link nobody opened, and tells again. */
export async function workOnAddresses(platform: Platform, now: EpochSeconds): Promise<void> {
  const { database, appendAudit } = platform;
  for (const { id, patientId } of await waitingChanges(database.db))
    await database.inTransactionOrConflict(async (tx) => {
      await lockAccount(tx, patientId);
      const change = await changeOf(tx, id);
      if (change === null || change.doneAt || change.overAt || change.stoppedAt) return;
      const account = await findAccount(tx, { id: patientId });
      const isUnopened = change.provenAt === null && (await openLink(tx, id, now)) === null;
      const giveUp = async () => {
        await updateChange(tx, id, { overAt: now });
        await tellMailboxBefore(platform, tx, { changeId: id, said: 'over', at: now });
        await appendAudit(tx, ofPatient(patientId, 'email change given up', now));
      };
      if (account?.closedAt !== null || isUnopened) return giveUp();
      if (takesEffect(change, now)) {
        if (!(await takeEffect(platform, tx, change, now))) await giveUp();
        return;
      }
      if (change.remindedAt !== null || now < change.begunAt + REMINDED_AFTER) return;
      await updateChange(tx, id, { remindedAt: now });
      await tellMailboxBefore(platform, tx, { changeId: id, said: 'reminder', at: now });
    });
}

/** What the desk shows of a change that somebody has to decide on; null where there is none. */
export async function openChangeShown(db: Db, patientId: string) {
  const change = await openChangeOf(db, patientId);
  if (change === null) return null;
  const begun = ofPatient(patientId, CORRECTION_BEGUN, change.begunAt);
  return {
    email: change.email,
    isProven: change.provenAt !== null,
    countsFrom: change.releasedAt ?? change.begunAt + ADDRESS_WAITS,
    isStopped: change.stoppedAt !== null,
    isDone: change.doneAt !== null,
    isMailboxLost: change.isMailboxLost,
    askedBy: await actorOf(db, begun),
  };
}
