import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lookFromOutside, whyNobodyBooks } from './from-outside.ts';
import { tellers, watch } from './watch.ts';

const SECOND = 1_000;
const START = Date.parse('2026-12-15T20:00:00Z');

/** Watches for as many looks as there are answers, ten seconds apart; what was told, each with its second. */
async function watched(answers: readonly (string | null)[], refusals = 0) {
  let [at, left] = [0, refusals];
  const told: string[] = [];
  const complaints: string[] = [];
  const ended = watch({
    look: async () => answers[at] ?? null,
    tell: async (text) => {
      if (left-- > 0) throw new Error('no mail server');
      told.push(`${at * 10} s: ${text}`);
    },
    now: () => START + at * 10 * SECOND,
    pause: async (ms) => {
      expect(ms).toBe(10 * SECOND);
      if (++at === answers.length) throw new Error('The end');
    },
    complain: (text) => complaints.push(text),
  });
  await expect(ended).rejects.toThrow('The end');
  return { told, complaints };
}
const down = (looks: number) => Array<string>(looks).fill('it answers 502');

describe('The watch', () => {
  test('tells once that patients cannot book for two minutes, and once that they can again', async () => {
    const { told } = await watched([null, ...down(20), null, null]);
    expect(told).toEqual([
      '130 s: Patients cannot book since 2026-12-15T20:00:10Z: it answers 502.',
      '210 s: Patients can book again since 2026-12-15T20:03:30Z.',
    ]);
  });

  test('tells nothing of what is over within two minutes, and counts anew after it', async () => {
    expect((await watched([...down(12), null, ...down(12), null])).told).toEqual([]);
  });

  test('tells later, in its order, what it could not tell', async () => {
    const { told, complaints } = await watched([...down(14), null, null, null], 4);
    expect(told.map((each) => each.slice(0, 25))).toEqual([
      '160 s: Patients cannot bo',
      '160 s: Patients can book ',
    ]);
    expect(complaints).toHaveLength(4);
  });

  test('wants one place to tell', () => {
    expect(() => tellers({}, { texts: {}, flags: [] })).toThrow('Say whom to tell');
  });
});

describe('From outside', () => {
  let url: string;
  let answer: { status: number; body: string };
  const posted: string[] = [];
  const server = createServer((request, response) => {
    if (request.method === 'POST')
      return void textOf(request).then((text) => {
        posted.push(text);
        response.end();
      });
    const { status, body } = request.url === '/readyz' ? answer : { status: 200, body: books };
    response.writeHead(status).end(body);
  });
  let books: string;
  let upgrades: boolean;
  server.on('upgrade', (_, socket) => {
    socket.end(
      upgrades
        ? 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'
        : 'HTTP/1.1 400 Bad Request\r\n\r\n',
    );
  });
  beforeEach(async () => {
    answer = { status: 200, body: '{"status":"ready","version":"0.3.0","errors":0}' };
    books = '{"success":true,"status":true}';
    upgrades = true;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => void server.close());

  test('a service that serves is seen, with its live connection', async () => {
    const seen = { why: null, certificateEndsAt: null, version: '0.3.0' };
    expect(await lookFromOutside(url)).toEqual({ ...seen, isLive: true });
    expect(await whyNobodyBooks(url)).toBeNull();
    upgrades = false;
    expect(await lookFromOutside(url)).toEqual({ ...seen, isLive: false });
  });

  test('one that says why it cannot, a proxy without one, and nobody are told apart', async () => {
    answer = { status: 503, body: '{"status":"database disk full"}' };
    expect((await lookFromOutside(url)).why).toBe(`${url} answers 503, database disk full`);
    answer = { status: 502, body: '<h1>Bad gateway' };
    expect((await lookFromOutside(url)).why).toBe(`${url} answers 502`);
    const nobody = 'http://127.0.0.1:1';
    expect((await lookFromOutside(nobody)).why).toBe(`${nobody} does not answer (ECONNREFUSED)`);
  });

  test('patients cannot book where the clinic says that it is closed', async () => {
    books = '{"success":false,"status":false}';
    expect(await whyNobodyBooks(url)).toContain('tells patients that it is closed');
  });

  test('a webhook is told by a POST', async () => {
    await tellers({}, { texts: { webhook: url }, flags: [] })('Patients cannot book.');
    expect(posted).toEqual(['{"text":"Patients cannot book."}']);
  });
});
