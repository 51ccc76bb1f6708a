import { refusal } from '@clinic/contract';
import { once } from 'node:events';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestApp, testApp } from '../testing/index.ts';

let clinic: TestApp;
let port: number;
beforeAll(async () => {
  clinic = await testApp();
  await clinic.app.listen({ host: '127.0.0.1', port: 0 });
  port = (clinic.app.server.address() as AddressInfo).port;
});
afterAll(() => clinic.close());

/** What comes back for these bytes until the service hangs up. */
async function exchange(bytes: string | Buffer): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
  // Hung up on while it still wrote: `close` comes all the same.
  socket.on('error', () => undefined);
  socket.write(bytes);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

/** The envelope of R-2 and the headers of S-9. */
function expectOurs(answer: string): void {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  for (const header of ['content-security-policy', 'x-content-type-options', 'date'])
    expect(head.toLowerCase()).toContain(`\r\n${header}: `);
  expect(refusal.safeParse(JSON.parse(body)).error).toBeUndefined();
}

const request = (line: string, ...headers: string[]) =>
  `${[line, 'Host: clinic', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`;
const post = (...headers: string[]) =>
  request('POST /api/login HTTP/1.1', 'Content-Type: application/json', ...headers);

const broken: readonly (readonly [string, string | Buffer])[] = [
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['TLS on a plain port', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])],
  ['a version nobody speaks', request('GET /api/me HTTP/9.9')],
  ['no version', request('GET /api/me')],
  ['a method nobody knows', request('BREW /api/me HTTP/1.1')],
  ['a space in the path', request('GET /api/m e HTTP/1.1')],
  ['bytes that are no text in the path', request('GET /api/\xff\xfe HTTP/1.1')],
  ['NUL in a header', request('GET /api/me HTTP/1.1', 'X-Access-Token: a\0b')],
  ['a header without a name', request('GET /api/me HTTP/1.1', ': x')],
  ['a header too large', request('GET /api/me HTTP/1.1', `X-Access-Token: ${'a'.repeat(17_000)}`)],
  [
    'too many headers',
    request('GET /api/me HTTP/1.1', ...Array.from({ length: 2_500 }, () => 'A: b')),
  ],
  ['a negative length', post('Content-Length: -1')],
  ['a length that is no number', post('Content-Length: many')],
  ['two lengths', post('Content-Length: 2', 'Content-Length: 3')],
  ['a length and chunks', post('Content-Length: 2', 'Transfer-Encoding: chunked')],
  ['chunks of nonsense', `${post('Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`],
  ['an absurd length', `${post('Content-Length: 99999999999')}{}`],
  ['no host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'],
  ['a wish for a tunnel', request('CONNECT clinic:443 HTTP/1.1')],
  ['a question about no path', request('OPTIONS * HTTP/1.1')],
  ['a path that cannot be decoded', request('GET /api/%zz HTTP/1.1')],
];

describe('Bytes on the wire (R-2, S-11)', () => {
  // Shows: S-11
  test.each(broken)('with %s are refused, and the connection ends', async (_name, bytes) => {
    const answer = await exchange(bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expectOurs(answer);
    expect(clinic.log.failures).toEqual([]);
  });

  // Shows: S-9
  test('with headers that are too large, or come too slowly, are answered in our words', async () => {
    const large = request('GET / HTTP/1.1', `A: ${'a'.repeat(17_000)}`);
    expect(await exchange(large)).toMatch(/^HTTP\/1\.1 431 /);
    const slow = connect(port, '127.0.0.1');
    let answer = '';
    slow.on('data', (chunk) => (answer += chunk.toString('latin1')));
    const [served] = (await once(clinic.app.server, 'connection')) as [Socket];
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    clinic.app.server.emit('clientError', late, served);
    await once(slow, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expectOurs(answer);
  });

  test('with an expectation that nobody knows are answered as without it', async () => {
    const answer = await exchange(request('GET /healthz HTTP/1.1', 'Expect: the-unexpected'));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  // Shows: S-9
  test('of a request that comes while the service closes are answered in our words', async () => {
    const closing = await testApp();
    await closing.app.listen({ host: '127.0.0.1', port: 0 });
    const { port: itsPort } = closing.app.server.address() as AddressInfo;
    const socket = connect(itsPort, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    await once(closing.app.server, 'connection');
    socket.write('GET /healthz HTTP/1.1\r\n');
    await once(socket, 'ready').catch(() => undefined);
    const closed = closing.close();
    socket.write('Host: clinic\r\n\r\n');
    await once(socket, 'close');
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/\r\nretry-after: 2\r\n/i);
    expectOurs(answer);
  });

  // Shows: R-2, S-11
  test.each([
    ['h2c', 'GET /healthz', 'h2c', '', 200],
    ['a web socket where there is none', 'GET /healthz', 'websocket', '', 200],
    ['TLS, with a body', 'POST /api/login', 'TLS/1.0', '{}', 422],
  ])(
    'with the wish to speak %s are answered as without it',
    async (_name, line, to, body, status) => {
      const asked = request(
        `${line} HTTP/1.1`,
        'Connection: Upgrade, HTTP2-Settings',
        `Upgrade: ${to}`,
        'HTTP2-Settings: AAMAAABkAAQAAP__',
        'Content-Type: application/json',
        `Content-Length: ${body.length}`,
      );
      expect(await exchange(asked + body)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    },
  );

  test('the service still answers afterwards', async () => {
    expect(await exchange(request('GET /healthz HTTP/1.1'))).toMatch(/^HTTP\/1\.1 200 /);
  });
});
