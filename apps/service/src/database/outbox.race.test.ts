import { onTestFinished, expect, test } from 'vitest';

import { fixedClock } from '../../testing/clock-fixed.ts';
import { REPLIES, readMessage, smtpServer } from '../../testing/smtp-server.ts';
import { testLog } from '../../testing/test-app.ts';
import { testDatabaseUrl } from '../../testing/test-database.ts';
import { mulberry32 } from '@clinic/practice/appointments.ts';
import { smtpMail } from '../adapters/email-smtp.ts';
import { randomIds } from '../server/ports.ts';
import { type Database, databaseOn } from './db.ts';
import { openPostgres } from './engine-postgres.ts';
import { createOutbox } from './outbox.store.ts';
import { patientWaits } from '../../testing/patient-waits.ts';

const SEEDS = process.env.LONG === '1' ? 40 : 4;
const ROUNDS = 25;
const SUBJECTS = [1, 2, 3, 4].map((n) => `${n}1111111-1111-4111-8111-111111111111`);
const from = 'Clinic <clinic@clinic.example>';

/** A mail server that answers for a text only when it is told to. */
async function slowServer() {
  const waiting = new Map<string, () => void>();
  const arrived: { readonly subject: string; readonly n: number }[] = [];
  const overtook: string[] = [];
  const server = await smtpServer(async (asked, raw) => {
    if (asked !== 'text') return REPLIES[asked];
    const [subject = '', n = ''] = readMessage(raw).subject.split(' ');
    if (waiting.has(subject)) overtook.push(`${subject} ${n}`);
    await new Promise<void>((answer) => waiting.set(subject, answer));
    waiting.delete(subject);
    arrived.push({ subject, n: Number(n) });
    return REPLIES.text;
  });
  onTestFinished(() => server.close());
  return { url: server.url, waiting, arrived, overtook };
}

async function aProcess(url: string, mailUrl: string, clock: ReturnType<typeof fixedClock>) {
  const database: Database = databaseOn(openPostgres({ url, poolSize: 4, waits: patientWaits }));
  const log = testLog();
  const outbox = createOutbox({ database, clock, ids: randomIds, log });
  const mail = smtpMail({ url: mailUrl, from });
  outbox.handle('message-email', async ({ messageId, n }, key) => {
    const subject = `${String(messageId)} ${String(n)}`;
    await mail.send({ key, to: 'casey@practice.example', subject, text: 't', html: '<p>t' });
  });
  onTestFinished(async () => {
    mail.close();
    await database.close();
    expect(log.failures).toEqual([]);
  });
  return { database, outbox };
}

// Shows: R-84
test(`two processes send one outbox in the order of each subject, and nothing twice, in ${SEEDS} runs beside a slow mail server`, async () => {
  const clock = fixedClock(1_797_364_800);
  const server = await slowServer();
  const url = await testDatabaseUrl();
  const one = await aProcess(url, server.url, clock);
  const other = await aProcess(url, server.url, clock);
  for (let seed = 1; seed <= SEEDS; seed++) {
    const chance = mulberry32(seed);
    const below = (end: number) => Math.floor(chance() * end);
    const written = SUBJECTS.map(() => 0);
    server.arrived.splice(0);
    const write = async (at: number) => {
      const { database, outbox } = below(2) === 0 ? one : other;
      const payload = { messageId: SUBJECTS[at], n: (written[at] = (written[at] ?? 0) + 1) };
      await database.inTransaction((tx) =>
        outbox.enqueue(tx, 'message-email', payload, clock.now()),
      );
    };
    const start = () => Promise.all([one, other].map(({ outbox }) => outbox.start('emails')));
    for (let round = 0; round < ROUNDS; round++) {
      const told = [...SUBJECTS.keys()].filter(() => below(3) === 0);
      await Promise.all(told.map(write));
      await start();
      for (const answer of server.waiting.values()) if (below(4) === 0) answer();
      clock.advance(below(25));
    }
    for (;;) {
      expect(server.overtook).toEqual([]);
      for (const answer of server.waiting.values()) answer();
      await start();
      const sent = SUBJECTS.map((id) => server.arrived.filter(({ subject }) => subject === id));
      if (sent.every((each, at) => each.length >= (written[at] ?? 0))) break;
    }
    await Promise.all([one, other].map(({ outbox }) => outbox.drain('emails')));
    for (const [at, id] of SUBJECTS.entries()) {
      const order = server.arrived.flatMap(({ subject, n }) => (subject === id ? [n] : []));
      expect(order).toEqual(Array.from({ length: written[at] ?? 0 }, (_, n) => n + 1));
    }
  }
});
