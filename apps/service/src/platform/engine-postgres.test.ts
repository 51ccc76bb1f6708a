import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { openPostgres } from './engine-postgres.ts';

/** A message of PostgreSQL's protocol: a letter, the length with itself, the content. */
function message(letter: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(letter), length, content]);
}

const authenticated = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));
const terminated = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0', 'latin1'),
);

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
