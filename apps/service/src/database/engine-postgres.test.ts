import { once } from 'node:events';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CommitOutcomeUnknown, type Engine, sql } from './db.ts';
import { openPostgres } from './engine-postgres.ts';

/** A message of PostgreSQL's protocol: a letter, the length with itself, the content. */
function message(letter: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(letter), length, content]);
}

const authenticated = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));
const fatal = (code: string) =>
  message('E', Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mthe connection ends\0\0`, 'latin1'));
const terminated = fatal('57P01');
const refused = message('E', Buffer.from('SERROR\0VERROR\0C57014\0Mcanceled\0\0', 'latin1'));
const done = Buffer.concat([message('C', Buffer.from('DONE\0')), ready]);
/** A row of one text, under the name of its column. */
function aRow(column: string, text: string): Buffer {
  const type = Buffer.from('00000000000000000019ffffffffffff0000', 'hex');
  const one = Buffer.from('0001', 'hex');
  const length = Buffer.alloc(4);
  length.writeInt32BE(text.length);
  return Buffer.concat([
    message('T', Buffer.concat([one, Buffer.from(`${column}\0`), type])),
    message('D', Buffer.concat([one, length, Buffer.from(text)])),
  ]);
}
/** An answer for each statement of a packet. */
function doneOf(packet: Buffer): Buffer[] {
  const answers: Buffer[] = [];
  for (let at = 0; at < packet.length; at += 1 + packet.readInt32BE(at + 1))
    if (['Q', 'S'].includes(packet.toString('latin1', at, at + 1))) answers.push(done);
  return answers;
}
const channel = aRow('channel', 'clinic_commits');

/** A server that lets everybody in and answers each question, but where it is told to fall silent. */
async function aServer() {
  const silent = new Set<Socket>();
  const connections: Socket[] = [];
  const heard: string[] = [];
  let silentAt = (_question: string) => false;
  let endAt = (_question: string) => false;
  let refuseAt = (_question: string) => false;
  const server = createServer((socket) => {
    connections.push(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', () => {
      socket.write(Buffer.concat([authenticated, ready]));
      socket.on('data', (bytes) => {
        const question = bytes.toString('latin1', 5).replace(/\0$/, '');
        heard.push(question);
        if (silentAt(question)) silent.add(socket);
        if (refuseAt(question)) return void socket.write(Buffer.concat([refused, ready, done]));
        if (endAt(question)) return void socket.end(fatal('08P01'));
        // 'X' is the goodbye.
        if (bytes.toString('latin1', 0, 1) === 'X' || silent.has(socket)) return;
        const answers = question.includes('as channel') ? [channel, done] : doneOf(bytes);
        socket.write(Buffer.concat(answers));
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://clinic@127.0.0.1:${port}/clinic`,
    heard,
    connections,
    /** Those there are, for good; those to come are not. */
    fallSilent: () => connections.forEach((each) => silent.add(each)),
    /** A connection that is asked this. */
    fallSilentAt: (question: string) => void (silentAt = (asked) => asked === question),
    /** As a pooler does whose server is gone. */
    endAt: (question: string) => void (endAt = (asked) => asked.startsWith(question)),
    /** Says no to a packet that begins with this, and does what else is in it. */
    refuseAt: (question: string) => void (refuseAt = (asked) => asked.startsWith(question)),
    close() {
      for (const each of connections) each.destroy();
      server.close();
    },
  };
}

test('a server that takes a connection and ends it in one breath fails that work alone', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, terminated])));
    socket.on('error', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const engine = openPostgres({ url: `postgres://clinic@127.0.0.1:${port}/clinic` });
  try {
    await expect(engine.transaction(async () => 'done')).rejects.toThrow();
  } finally {
    await engine.close();
    server.close();
  }
});

describe('A database connection that falls silent', () => {
  let server: Awaited<ReturnType<typeof aServer>>;
  let engine: Engine;
  let lost = 0;
  beforeEach(async () => {
    lost = 0;
    server = await aServer();
    engine = openPostgres({
      url: server.url,
      waits: { lockMs: 50, statementMs: 500 },
      onLostConnection: () => lost++,
    });
  });
  afterEach(async () => {
    await engine.close();
    server.close();
  });
  const ask = (text = 'select 1') => sql(engine.db)([text]);
  const several = (many: number) => Promise.all(Array.from({ length: many }, () => ask()));

  test('fails the statement at its deadline, and is not used again', async () => {
    await ask();
    server.fallSilent();
    await expect(ask()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await ask();
    expect(server.connections).toHaveLength(2);
  });

  test('takes with it those that nobody has heard since', async () => {
    await several(7);
    expect(server.connections).toHaveLength(7);
    server.fallSilent();
    await expect(ask()).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    await several(7);
    expect(lost).toBe(6);
  });

  test('leaves in use those that answered meanwhile', async () => {
    await several(2);
    server.fallSilentAt('select 2');
    const [unanswered] = await Promise.allSettled([ask('select 2'), ask()]);
    expect(unanswered.status).toBe('rejected');
    await ask();
    expect([server.connections.length, lost]).toEqual([2, 0]);
  });

  test('at COMMIT leaves an outcome that nobody knows', async () => {
    server.fallSilentAt('commit');
    const lostCommit = engine.transaction(async () => 'done');
    await expect(lostCommit).rejects.toBeInstanceOf(CommitOutcomeUnknown);
    expect(server.heard).not.toContain('rollback');
  });

  test('at COMMIT leaves an outcome that nobody knows, too, where a pooler says so', async () => {
    server.endAt('commit');
    const lostCommit = engine.transaction(async () => 'done');
    await expect(lostCommit).rejects.toBeInstanceOf(CommitOutcomeUnknown);
  });

  test('is no answer, and the next one is', async () => {
    expect(await engine.answers()).toBe(true);
    server.fallSilent();
    await expect(ask()).rejects.toThrow();
    server.fallSilentAt('select 1');
    expect(await engine.answers()).toBe(false);
    server.fallSilentAt('nothing');
    await expect.poll(() => engine.answers()).toBe(true);
  });

  test('that listens for commits is made anew', async () => {
    let heard = 0;
    engine.bus?.listen(() => heard++);
    await expect.poll(() => heard).toBe(1);
    server.fallSilent();
    await expect.poll(() => heard).toBe(2);
  });
});

test('a transaction that did not begin does nothing after its first statement', async () => {
  const server = await aServer();
  const engine = openPostgres({ url: server.url });
  try {
    server.refuseAt('begin');
    const twoStatements = engine.transaction(async (db) => {
      await sql(db)(['select 1']);
      await sql(db)(['select 2']);
    });
    await expect(twoStatements).rejects.toThrow();
    expect(server.heard.join()).not.toContain('select 2');
  } finally {
    await engine.close();
    server.close();
  }
});

test('a pooler that lets everybody in, and says that the server is gone, is no answer of the server', async () => {
  const server = await aServer();
  const waits = { lockMs: 50, statementMs: 500 };
  const reach = { kind: 'pooler', namedStatements: true } as const;
  const engine = openPostgres({ url: server.url, reach, waits });
  try {
    expect(await engine.answers()).toBe(true);
    server.endAt('begin');
    await expect.poll(() => engine.answers()).toBe(false);
    server.endAt('nothing');
    await expect.poll(() => engine.answers()).toBe(true);
  } finally {
    await engine.close();
    server.close();
  }
});

test('a pool that is full is no silence', async () => {
  const server = await aServer();
  const waits = { lockMs: 1_000, statementMs: 2_000 };
  const engine = openPostgres({ url: server.url, poolSize: 1, waits });
  try {
    let letGo = () => {};
    const holding = engine.transaction(() => new Promise<void>((resolve) => (letGo = resolve)));
    // Longer than it may take to get a connection, and than the database may be silent.
    for (let asked = 0; asked < 3; asked += 1) expect(await engine.answers()).toBe(true);
    letGo();
    await holding;
  } finally {
    await engine.close();
    server.close();
  }
});
