import { mailText } from '@clinic/contract/mail-texts';
import {
  COUNTED_SECONDS,
  type DoneLately,
  type EpochSeconds,
  type HarmVerdict,
  type HarmfulAct,
  STOPPABLE_SECONDS,
  daysClosed,
  judgeHarm,
  mayAny,
} from '@clinic/domain';
import { ENGLISH } from '@clinic/texts';
import type { Db, Tx } from '../../database/db.ts';
import type { Platform } from '../../platform.ts';
import { type Who, changesBy, hasDone } from '../../security/audit.store.ts';
import type { SignedInStaff } from '../../security/sessions.store.ts';
import { type EmailPart, emailTime, signed } from '../../server/email-layout.ts';
import { whoIs } from '../../server/audited-reads.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { closedBy } from '../closings/index.ts';
import { isFactorRecent } from './authorize-staff.ts';
import { listColleagues, lockStaff, staffById } from './store.ts';
import { type WaitingAct, insertAct, sameAct } from './acts.store.ts';

/** Version 0.2.0 knows no such emails, and leaves them to this one. */
const OUTBOX_KIND = 'many-email';
/** Managers get one mail about one person's acts in this time. */
const TOLD_EVERY_SECONDS = 60 * 60;

type Closed = Extract<HarmfulAct, { readonly act: 'close' }>;
type ClosingVerdict = Exclude<HarmVerdict, 'told'>;
type Asking = Pick<SignedInStaff, 'id' | 'roles' | 'factorAt'>;

/** Judges what staff ask for by what they did in the last day, and tells the managers of what harms many. */
export function harmAtDesk(platform: Platform) {
  const { database, appendAudit, outbox, ids, rateLimit, config } = platform;
  const turns = new Map<string, Promise<unknown>>();

  async function doneLately(db: Db, id: string, now: EpochSeconds): Promise<DoneLately> {
    const [actor, since] = [`staff:${id}`, now - COUNTED_SECONDS];
    const [changed, closed] = await Promise.all([
      changesBy(db, actor, since),
      closedBy(db, actor, since),
    ]);
    return {
      appointments: closed.reduce((sum, { coming }) => sum + coming, changed.clinic),
      days: closed.reduce((sum, time) => sum + daysClosed(time), 0),
      wished: changed.patient,
    };
  }

  const verdictOf = async (db: Db, { id, roles }: Asking, asked: HarmfulAct, now: EpochSeconds) =>
    judgeHarm(asked, { roles, lately: await doneLately(db, id, now), now });

  /** Mails every manager, once an hour about one person, in the transaction that has locked them. */
  async function tell(tx: Tx, { actor, now }: Who, asked: HarmfulAct) {
    const telling = { actor, action: 'managers told', subject: actor };
    const managers = (await listColleagues(tx)).filter(
      ({ roles, closedAt }) => closedAt === null && mayAny(roles, 'harmMany'),
    );
    if (managers.length === 0 || (await hasDone(tx, telling, now - TOLD_EVERY_SECONDS + 1))) return;
    await appendAudit(tx, { ...telling, details: { act: asked.act }, at: now });
    const n =
      asked.act === 'close' ? asked.appointments : asked.act === 'export' ? asked.people : 0;
    const by = actor.startsWith('staff:') ? actor.slice('staff:'.length) : null;
    for (const { id: to } of managers)
      await outbox.enqueue(tx, OUTBOX_KIND, { to, by, act: asked.act, n, at: now }, now);
  }

  /** Judges within a transaction in which nothing else that this person asks for is judged. */
  async function judgeIn(tx: Tx, staff: Asking, asked: HarmfulAct, now: EpochSeconds) {
    await lockStaff(tx, [staff.id]);
    const verdict = await verdictOf(tx, staff, asked, now);
    const isUnproved = verdict === 'told' && !isFactorRecent(staff, now);
    if (isUnproved) return 'factorNeeded' as const;
    if (verdict === 'told' || verdict === 'waits') await tell(tx, whoIs(staff, now), asked);
    return verdict;
  }

  const judge = (staff: Asking, asked: HarmfulAct, now: EpochSeconds) =>
    database.inTransaction((tx) => judgeIn(tx, staff, asked, now));

  /** The act that waits, also where it was asked for before; null where it may be done at once. */
  async function waitIn(
    tx: Tx,
    staff: Asking,
    harmful: Extract<HarmfulAct, { readonly act: WaitingAct['act'] }>,
    what: object,
    now: EpochSeconds,
  ): Promise<Pick<WaitingAct, 'waitsUntil'> | null> {
    await lockStaff(tx, [staff.id]);
    const own = { act: harmful.act, askedBy: staff.id, asked: { ...what } };
    const before = await sameAct(tx, own, now);
    if (before !== null) return before;
    if ((await judgeIn(tx, staff, harmful, now)) !== 'waits') return null;
    const people = harmful.act === 'export' ? harmful.people : 0;
    const waitsUntil = now + STOPPABLE_SECONDS;
    await insertAct(tx, { ...own, id: ids.uuid(), askedAt: now, waitsUntil, people });
    const actor = `staff:${staff.id}`;
    const [action, details] =
      harmful.act === 'export'
        ? ['export waits', { people }]
        : ['invitation waits', { roles: harmful.roles }];
    await appendAudit(tx, { actor, action, subject: actor, details, at: now });
    return { waitsUntil };
  }

  return {
    /** What would become of a closing; changes nothing. */
    async previewClosing(staff: Asking, asked: Closed, now: EpochSeconds): Promise<ClosingVerdict> {
      return (await verdictOf(database.db, staff, asked, now)) as ClosingVerdict;
    },
    async judgeClosing(tx: Tx, staff: Asking, asked: Closed, now: EpochSeconds) {
      return (await judgeIn(tx, staff, asked, now)) as ClosingVerdict;
    },
    tell,
    waitIn,
    /** Does what changes one appointment, one after the other for each person, or says why not. */
    change<Done>(
      staff: Asking,
      { wantedBy, now }: { readonly wantedBy: 'patient' | 'clinic'; readonly now: EpochSeconds },
      act: () => Promise<Done>,
    ): Promise<Done | Refusal> {
      return inTurn(turns, staff.id, async () => {
        const rule = wantedBy === 'clinic' ? config.rates.staffForClinic : config.rates.staffAtWish;
        const [use, id] = [[rule, staff.id] as const, ids.uuid()];
        // Counts what other processes are about to do and the trail does not say yet.
        const isFull = (await rateLimit.use(...use, now, id)) !== null;
        let isDone = false;
        try {
          const verdict = await judge(staff, { act: 'change', wantedBy, isFull }, now);
          if (verdict === 'refused') return refuse('harmsMany');
          if (verdict === 'factorNeeded') return refuse(verdict);
          const done = await act();
          isDone = !(done instanceof Refusal) && done !== false && done !== 'notCancellable';
          return done;
        } finally {
          if (!isFull && !isDone) await rateLimit.giveBack(id, use);
        }
      });
    },
  };
}

/** Does one thing of a person after the other, so that each counts what the one before did. */
async function inTurn<Done>(
  turns: Map<string, Promise<unknown>>,
  id: string,
  act: () => Promise<Done>,
): Promise<Done> {
  const before = turns.get(id) ?? Promise.resolve();
  const own = before.then(act, act);
  turns.set(id, own);
  try {
    return await own;
  } finally {
    if (turns.get(id) === own) turns.delete(id);
  }
}

const TEXTS = {
  close: 'manyClosed',
  change: 'manyChanged',
  export: 'manyExported',
  invite: 'manyInvited',
} as const satisfies Readonly<Record<HarmfulAct['act'], string>>;

/** Mails managers what a colleague does to many, in English. */
export function handleManyEmails({ outbox, mail, config, database }: Platform): void {
  const locale = ENGLISH.id;
  outbox.handle(OUTBOX_KIND, async ({ to, by, act, n, at }, key) => {
    const [manager, colleague] = await Promise.all([
      staffById(database.db, String(to)),
      typeof by === 'string' ? staffById(database.db, by) : null,
    ]);
    if (manager === null || manager.closedAt !== null) return;
    if (by !== null && colleague === null) return;
    const who = colleague?.name ?? mailText(locale, 'manyOperator');
    const values = {
      name: manager.name,
      who,
      n: Number(n),
      when: emailTime(locale, Number(at)),
      until: emailTime(locale, Number(at) + STOPPABLE_SECONDS),
    };
    const parts: EmailPart[] = [
      mailText(locale, by === null ? 'manyInvitedAtOnce' : TEXTS[act as HarmfulAct['act']], values),
      mailText(locale, 'manyOnce'),
    ];
    const text = signed(locale, config.clinic, mailText(locale, 'manySubject', { who }), parts);
    await mail.send({ key: `many:${key}`, to: manager.email, ...text });
  });
}
