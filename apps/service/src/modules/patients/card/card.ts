import type { Part, Tx } from '../../../database/db.ts';
import type { Platform } from '../../../platform.ts';
import type { Who } from '../../../security/audit.store.ts';
import { readPhone } from '../../../server/phones.ts';
import { type Refusal, refuse } from '../../../server/refusal.ts';
import { personOf } from '../../accounts/index.ts';
import { lockRecord } from '../../records/index.ts';
import {
  type CardEntryKind,
  type ContactRow,
  type NoteRow,
  type WishRow,
  contactsOfCard,
  dueWishes,
  insertContact,
  insertNote,
  insertWish,
  lockEntry,
  marksOf,
  notesOfCard,
  strikeEntry,
  wishesOfCard,
} from './card.store.ts';

// What staff note on the card of a patient. Nothing of it is written anew or deleted: what is changed is struck,
// and what was struck can be put back. It goes with the record: retention alone erases it.

type Ports = Pick<Platform, 'database' | 'keyring' | 'appendAudit' | 'realtime' | 'emr'>;

const noteContext = (id: string) => `record_note.text:${id}`;

/** A number as it is dialled, or null where it cannot be one: of Canada or the United States, else of any country. */
export function contactNumber(typed: string): string | null {
  for (const field of ['phone', 'internationalPhone'] as const) {
    const read = readPhone(field, typed);
    if (typeof read !== 'string') return read.e164;
  }
  return null;
}

type New<Row> = Omit<Row, 'id' | 'recordId' | 'staffId' | 'at' | 'struckAt'>;

/** What is noted, under an id that the page makes. */
export type CardEntry = { readonly id: string } & (
  | ({ readonly of: 'contact' } & New<ContactRow>)
  | ({ readonly of: 'note'; readonly text: string } & Pick<NoteRow, 'kind'>)
  | ({ readonly of: 'wish' } & New<WishRow>)
);

interface ByStaff extends Who {
  readonly staffId: string;
}

/** Notes something on the card of a record, in the place of `replaces`; a repeat with the same id does nothing. */
export async function noteOnCard(
  ports: Ports,
  recordId: string,
  { replaces, ...entry }: CardEntry & { readonly replaces?: string | undefined },
  { staffId, actor, now }: ByStaff,
): Promise<Refusal | null> {
  const { database, appendAudit, realtime } = ports;
  const { id, of } = entry;
  if (of === 'contact' && ports.emr !== null) return refuse('changedInEmr');
  const refused = await database.inTransaction<Refusal | null>(async (tx, rollBack) => {
    if (!(await lockCard(tx, recordId))) return refuse('notFound');
    if ((await lockEntry(tx, of, { id, recordId })) !== null) return null;
    if (replaces !== undefined) {
      const before = await lockEntry(tx, of, { id: replaces, recordId });
      if (before === null || before.isStruck) return refuse('changedMeanwhile');
      await strikeEntry(tx, of, replaces, now);
    }
    const row = { recordId, staffId, at: now, struckAt: null };
    if (!(await insertEntry(ports, tx, entry, row))) return rollBack(refuse('notFound'));
    await appendAudit(tx, {
      actor,
      action: `${of} noted`,
      subject: `record:${recordId}`,
      details: { entry: id, kind: entry.kind, replaces },
      at: now,
    });
    return null;
  });
  if (refused === null) realtime.sayToDesk();
  return refused;
}

function insertEntry(
  { keyring }: Pick<Ports, 'keyring'>,
  tx: Tx,
  entry: CardEntry,
  row: Pick<NoteRow, 'recordId' | 'staffId' | 'at' | 'struckAt'>,
): Promise<boolean> {
  if (entry.of === 'contact') return insertContact(tx, { ...entry, ...row });
  if (entry.of === 'wish') return insertWish(tx, { ...entry, ...row });
  const textSealed = keyring.seal(noteContext(entry.id), entry.text);
  return insertNote(tx, { id: entry.id, kind: entry.kind, textSealed, ...row });
}

interface Struck {
  readonly of: CardEntryKind;
  readonly id: string;
  readonly isStruck: boolean;
}

/** Strikes something on the card of a record, or puts it back. */
export async function strikeOnCard(
  { database, appendAudit, realtime, emr }: Ports,
  recordId: string,
  { of, id, isStruck }: Struck,
  { actor, now }: Who,
): Promise<Refusal | null> {
  if (of === 'contact' && emr !== null) return refuse('changedInEmr');
  const refused = await database.inTransaction(async (tx) => {
    if (!(await lockCard(tx, recordId))) return refuse('notFound');
    const entry = await lockEntry(tx, of, { id, recordId });
    if (entry === null) return refuse('notFound');
    if (entry.isStruck === isStruck) return null;
    await strikeEntry(tx, of, id, isStruck ? now : null);
    await appendAudit(tx, {
      actor,
      action: `${of} ${isStruck ? 'struck' : 'put back'}`,
      subject: `record:${recordId}`,
      details: { entry: id },
      at: now,
    });
    return null;
  });
  if (refused === null) realtime.sayToDesk();
  return refused;
}

/**
 * Waits for a merge or an erasure of the record, and keeps them waiting; false when nobody has the record any
 * more. What is noted for a record that was merged meanwhile stands on the card of the one that stays.
 */
async function lockCard(tx: Tx, recordId: string): Promise<boolean> {
  await lockRecord(tx, recordId);
  return (await personOf(tx, recordId)) !== null;
}

/** What stands on the card of a record: the wishes are those that are due. */
export async function cardOfRecord(
  { database: { db }, keyring }: Pick<Ports, 'database' | 'keyring'>,
  recordId: string,
  today: string,
) {
  const [contacts, notes, wishes] = await Promise.all([
    contactsOfCard(db, recordId, false),
    notesOfCard(db, recordId, false),
    dueWishes(db, recordId, today),
  ]);
  return { contacts, notes: notes.map((note) => opened(keyring, note)), wishes };
}

/** The alerts and labels by record, of the records that `records` selects; one without them is left out. */
export async function marksByRecord(
  { database: { db }, keyring }: Pick<Ports, 'database' | 'keyring'>,
  records: Part,
) {
  const marks = new Map<string, { readonly alerts: string[]; readonly labels: string[] }>();
  for (const { recordId, kind, id, textSealed } of await marksOf(db, records)) {
    const of = marks.get(recordId) ?? { alerts: [], labels: [] };
    marks.set(recordId, of);
    of[kind === 'alert' ? 'alerts' : 'labels'].push(keyring.open(noteContext(id), textSealed));
  }
  return marks;
}

/** The alerts of a record, for whoever is about to book. */
export async function alertsOf(
  { database: { db }, keyring }: Pick<Ports, 'database' | 'keyring'>,
  recordId: string,
): Promise<string[]> {
  const notes = await notesOfCard(db, recordId, false);
  return notes.filter(({ kind }) => kind === 'alert').map((note) => opened(keyring, note).text);
}

/** The whole card, with what was struck, for a copy of the patient's data: it belongs to them. */
export async function ownCard(
  { database: { db }, keyring }: Pick<Ports, 'database' | 'keyring'>,
  recordId: string,
) {
  const [contacts, notes, wishes] = await Promise.all([
    contactsOfCard(db, recordId, true),
    notesOfCard(db, recordId, true),
    wishesOfCard(db, recordId),
  ]);
  const shown = <Row extends Pick<WishRow, 'recordId' | 'staffId'>>(row: Row) => {
    const { recordId: _, staffId: _by, ...rest } = row;
    return rest;
  };
  return {
    contacts: contacts.map(shown),
    notes: notes.map((note) => shown(opened(keyring, note))),
    wishes: wishes.map(shown),
  };
}

const opened = (keyring: Ports['keyring'], { textSealed, ...note }: NoteRow) => ({
  ...note,
  text: keyring.open(noteContext(note.id), textSealed),
});
