import type { Database, Tx } from '@clinic/service/database/db.ts';
import {
  installation,
  message,
  messageEntry,
  messageNote,
  patient,
  problemReport,
  savedReply,
  staff,
} from '@clinic/service/schema.ts';
import type { Keyring } from '@clinic/service/security/keyring.ts';
import type { Ids } from '@clinic/service/server/ports.ts';

const SEEDED = 'practice-inbox-seeded-at';
const HOUR = 3_600;

interface SeededText {
  readonly by: 'patient' | 'robin';
  readonly hoursAgo: number;
  readonly text: string;
}

interface SeededMessage {
  readonly from: string;
  readonly isRead: boolean;
  readonly assignedTo: 'robin' | null;
  readonly texts: readonly [SeededText, ...SeededText[]];
  readonly note?: string;
}

/** Two messages that wait, one of them already opened, and one that was answered. */
const MESSAGES: readonly SeededMessage[] = [
  {
    from: 'soon',
    isRead: false,
    assignedTo: null,
    texts: [
      {
        by: 'patient',
        hoursAgo: 26,
        text: 'Hello, I have lost the form for my blood test. Could I have another one?',
      },
    ],
  },
  {
    from: 'two',
    isRead: true,
    assignedTo: 'robin',
    texts: [
      {
        by: 'patient',
        hoursAgo: 3,
        text: 'Can the report of my last appointment be sent to my physiotherapist?',
      },
    ],
    note: 'Asked Dr. Stone, who calls back before noon.',
  },
  {
    from: 'fran',
    isRead: true,
    assignedTo: null,
    texts: [
      { by: 'patient', hoursAgo: 50, text: 'Until when can I reach somebody on Fridays?' },
      {
        by: 'robin',
        hoursAgo: 49,
        text: 'Until five in the afternoon. You can book here any time.',
      },
    ],
  },
];

const REPLIES = {
  'Opening hours': 'We are open from Monday to Friday, eight to five.',
  'Please book': 'Please book an appointment for this, so that we have time for you.',
};
const SUGGESTION = {
  from: 'fran',
  text: 'It would help to see the bus lines beside your address.',
};

/** Seeds messages, suggestions and saved replies, once, also into a data folder that was seeded earlier. */
export async function seedInbox(
  { database, keyring, ids }: { database: Database; keyring: Keyring; ids: Ids },
  now: number,
): Promise<void> {
  const { db } = database;
  const facts = await db.select().from(installation);
  if (facts.some(({ key }) => key === SEEDED)) return;
  const patients = await db.select({ id: patient.id, email: patient.email }).from(patient);
  const [robin] = (await db.select({ id: staff.id, email: staff.email }).from(staff)).filter(
    ({ email }) => email === 'robin@practice.example',
  );
  const idOf = (name: string) =>
    patients.find(({ email }) => email === `${name}@practice.example`)?.id;

  async function insertMessage(tx: Tx, seeded: SeededMessage): Promise<void> {
    const { from, isRead, assignedTo, texts, note } = seeded;
    const patientId = idOf(from);
    if (patientId === undefined || robin === undefined) return;
    const id = ids.uuid();
    const last = texts.at(-1) ?? texts[0];
    await tx.insert(message).values({
      id,
      patientId,
      state: last.by === 'patient' ? 'sent' : 'replied',
      startedAt: now - texts[0].hoursAgo * HOUR,
      changedAt: now - last.hoursAgo * HOUR,
      unreadByClinic: !isRead,
      assignedTo: assignedTo && robin.id,
    });
    for (const { by, hoursAgo, text } of texts) {
      const entryId = ids.uuid();
      await tx.insert(messageEntry).values({
        id: entryId,
        messageId: id,
        author: by === 'patient' ? 'patient' : 'clinic',
        staffId: by === 'patient' ? null : robin.id,
        at: now - hoursAgo * HOUR,
        textSealed: keyring.seal(`message_entry.text:${entryId}`, text),
      });
    }
    if (note === undefined) return;
    const noteId = ids.uuid();
    await tx.insert(messageNote).values({
      id: noteId,
      messageId: id,
      staffId: robin.id,
      at: now - HOUR,
      textSealed: keyring.seal(`message_note.text:${noteId}`, note),
    });
  }

  await database.inTransaction(async (tx) => {
    for (const seeded of MESSAGES) await insertMessage(tx, seeded);
    for (const [name, text] of Object.entries(REPLIES))
      await tx.insert(savedReply).values({ id: ids.uuid(), name, text });
    const patientId = idOf(SUGGESTION.from);
    const id = ids.uuid();
    if (patientId !== undefined)
      await tx.insert(problemReport).values({
        id,
        patientId,
        at: now - 30 * HOUR,
        isAppointment: false,
        messageSealed: keyring.seal(`problem_report.message:${id}`, SUGGESTION.text),
      });
    await tx.insert(installation).values({ key: SEEDED, value: String(now) });
  });
}
