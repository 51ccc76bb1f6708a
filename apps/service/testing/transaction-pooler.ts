import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { Socket, createServer } from 'node:net';
import { Client } from 'pg';

/** What stands between the service and PostgreSQL. */
export interface Pooler {
  /** Whether it carries named statements from one connection to another. */
  readonly namedStatements: boolean;
  /** The address of a database of the server, through the pooler. */
  readonly through: (databaseUrl: string) => string;
  readonly close: () => Promise<void>;
}

interface Customer {
  readonly socket: Socket;
  readonly pool: Pool;
  /** What was said and has no connection yet. */
  unsent: Buffer[];
  server: Server | null;
  /** Answers that must come before the connection may be another's. */
  due: number;
}
interface Server {
  readonly socket: Socket;
  customer: Customer | null;
}
/** Of one role on one database. */
interface Pool {
  readonly url: string;
  size: number;
  readonly idle: Server[];
  readonly queue: Customer[];
}

const MOST_SERVERS = 4;
const PROTOCOL_3 = 196_608;
/** Others would belong to the connection: PgBouncer refuses them, too. */
const TAKEN = new Set(
  'user database application_name client_encoding datestyle standard_conforming_strings timezone'.split(
    ' ',
  ),
);

/**
 * PgBouncer in transaction mode as a service meets it: each transaction gets the connection that was
 * idle for longest, nothing is reset between two, named statements are not carried, what is asked
 * for a whole connection is refused, and a connection that is lost is an error 08P01. It lets
 * everybody in. The real one takes its place in `npm run topology -- pooler`.
 */
export async function startTransactionPooler(): Promise<Pooler> {
  const pools = new Map<string, Pool>();
  const sockets = new Set<Socket>();
  let isClosed = false;
  const keep = (socket: Socket) => {
    sockets.add(socket.setNoDelay(true));
    socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket));
    return socket;
  };
  const front = createServer((socket) => void welcome(keep(socket)));
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
  const address = front.address();
  if (address === null || typeof address === 'string') throw new Error('The pooler has no port');

  async function welcome(socket: Socket): Promise<void> {
    const [hello] = (await once(socket, 'data')) as [Buffer];
    if (hello.readInt32BE(4) !== PROTOCOL_3) return void socket.destroy();
    const said = new Map<string, string>();
    const words = hello.toString('utf8', 8).split('\0');
    for (let at = 0; words[at]; at += 2) said.set(words[at] ?? '', words[at + 1] ?? '');
    const refused = [...said.keys()].find((name) => !TAKEN.has(name));
    if (refused !== undefined) return refuse(socket, `unsupported startup parameter: ${refused}`);
    const pool = pools.get(`${said.get('user')}/${said.get('database')}`);
    if (!pool) return refuse(socket, 'no such database');
    const customer: Customer = { socket, pool, unsent: [], server: null, due: 0 };
    const number = Buffer.alloc(8);
    number.writeInt32BE(randomInt(2 ** 31), 0);
    socket.write(Buffer.concat([message('R', Buffer.alloc(4)), message('K', number), READY]));
    onMessages(socket, (letter, whole) => {
      // The goodbye.
      if (letter === 'X') return void socket.destroy();
      customer.unsent.push(whole);
      if (letter === 'Q' || letter === 'S') customer.due += 1;
      if (customer.server) send(customer, customer.server);
      else if (!pool.queue.includes(customer)) ask(customer);
    });
    socket.once('close', () => {
      customer.server?.socket.destroy();
      pool.queue.splice(0, pool.queue.length, ...pool.queue.filter((each) => each !== customer));
    });
  }

  function ask(customer: Customer): void {
    const { pool } = customer;
    const server = pool.idle.shift();
    if (server) return send(customer, server);
    pool.queue.push(customer);
    if (pool.size < MOST_SERVERS) void openServer(pool);
  }

  async function openServer(pool: Pool): Promise<void> {
    pool.size += 1;
    const socket = keep(new Socket());
    const signsIn = new Client({ connectionString: pool.url, stream: () => socket });
    signsIn.on('error', () => undefined);
    await signsIn.connect().catch((error: unknown) => {
      // Nobody waits for it any more.
      if (!isClosed) throw error;
    });
    if (isClosed) return;
    // From here on it is ours.
    socket.removeAllListeners('data');
    const server: Server = { socket, customer: null };
    onMessages(socket, (letter, whole) => {
      const { customer } = server;
      customer?.socket.write(whole);
      if (letter !== 'Z' || !customer) return;
      customer.due -= 1;
      if (customer.due > 0 || whole.toString('latin1', 5) !== 'I') return;
      server.customer = customer.server = null;
      giveOut(pool, server);
    });
    socket.once('close', () => {
      pool.size -= 1;
      if (pool.idle.includes(server)) pool.idle.splice(pool.idle.indexOf(server), 1);
      if (server.customer) refuse(server.customer.socket, 'server conn crashed?');
    });
    giveOut(pool, server);
  }

  function giveOut(pool: Pool, server: Server): void {
    const next = pool.queue.shift();
    if (next) send(next, server);
    else pool.idle.push(server);
  }

  return {
    namedStatements: false,
    through(databaseUrl) {
      const { username, pathname } = new URL(databaseUrl);
      pools.set(`${username}${pathname}`, { url: databaseUrl, size: 0, idle: [], queue: [] });
      return Object.assign(new URL(databaseUrl), { port: String(address.port) }).href;
    },
    async close() {
      isClosed = true;
      front.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function send(customer: Customer, server: Server): void {
  customer.server = server;
  server.customer = customer;
  server.socket.write(Buffer.concat(customer.unsent));
  customer.unsent = [];
}

/** A message of PostgreSQL's protocol: a letter, the length with itself, the content. */
function message(letter: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(letter), length, content]);
}

const READY = message('Z', Buffer.from('I'));

function refuse(socket: Socket, why: string): void {
  socket.end(message('E', Buffer.from(`SFATAL\0VFATAL\0C08P01\0M${why}\0\0`)));
}

/** Whole messages, however they were cut on their way. */
function onMessages(socket: Socket, heard: (letter: string, whole: Buffer) => void): void {
  let bytes = Buffer.alloc(0);
  socket.on('data', (more: Buffer) => {
    bytes = Buffer.concat([bytes, more]);
    while (bytes.length >= 5 && bytes.length > bytes.readInt32BE(1)) {
      const end = bytes.readInt32BE(1) + 1;
      const whole = bytes.subarray(0, end);
      bytes = bytes.subarray(end);
      heard(whole.toString('latin1', 0, 1), whole);
    }
  });
}
