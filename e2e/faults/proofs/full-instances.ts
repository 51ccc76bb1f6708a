import { once } from 'node:events';
import { type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isDeepStrictEqual } from 'node:util';

import { text } from '@clinic/contract/texts';
import { ENGLISH } from '@clinic/texts';

import { pause } from '../clinic/patient.ts';
import { startNginx } from '../nginx.ts';
import type { Finding } from '../report.ts';

/** `max_conns` of docs/operating.md, at two instances. */
const PLACES = 500;
/** Of the instances: not nginx's. */
const CLOCK = 'Sat, 21 Nov 2026 17:00:00 GMT';

/**
 * nginx before two instances that have all the calls it gives them: the next call is refused at once,
 * as the service refuses it, while pages still come and a slow sender keeps nobody out.
 */
export async function fullInstances(): Promise<Finding> {
  const faults: string[] = [];
  const underWay: ServerResponse[] = [];
  const instances = await Promise.all([instance(underWay), instance(underWay)]);
  const [one, other] = instances;
  const nginx = await startNginx([one.port, other.port]);
  const origin = `http://127.0.0.1:${nginx.port}`;
  const expect = (holds: boolean, what: string) => void (holds || faults.push(what));
  const call = () => fetch(`${origin}/api/schedule/hold`);
  const over = new AbortController();
  const becomes = async (count: number) => {
    while (!over.signal.aborted && underWay.length < count) await pause(5);
  };

  const calls = Array.from({ length: PLACES }, call);
  await becomes(PLACES);

  const asked = performance.now();
  const beyond = fetch(`${origin}/api/schedule/create`, { method: 'POST', body: '{}' });
  const refused = await Promise.race([beyond, becomes(PLACES + 1).then(() => null)]);
  const ms = performance.now() - asked;
  // Nobody was answered meanwhile, so it did not wait for a place.
  faults.push(...(refused === null ? ['The call beyond is let in'] : await otherThanOurs(refused)));

  const page = await fetch(`${origin}/login`);
  expect(page.status === 200, `A page is answered ${page.status} meanwhile`);
  const { date } = Object.fromEntries(page.headers);
  expect(date === CLOCK, `It bears another clock than the service's: ${date}`);

  // One place is free, and somebody begins to send a body.
  underWay.shift()?.end();
  await Promise.race(calls);
  const slow = request(`${origin}/api/me/card`, {
    method: 'POST',
    headers: { 'content-length': 1_000 },
  });
  slow.on('error', () => undefined);
  await new Promise((sent) => slow.write('a beginning', sent));
  const last = call();
  await Promise.race([becomes(PLACES), last]);
  expect(underWay.length === PLACES, 'A call whose body is on its way takes the place of another');
  slow.destroy();

  for (const each of instances) each.answerAll();
  const answers = await Promise.all([...calls, last]);
  const lost = answers.filter(({ status }) => status !== 200).length;
  expect(lost === 0, `${lost} of the calls let in are not answered`);

  over.abort();
  await nginx.close();
  for (const each of instances) each.close();
  return {
    title: 'nginx before two instances that are full',
    lines: [`${PLACES} calls let in and answered; the next refused in ${ms.toFixed(0)} ms`],
    faults,
  };
}

/** What sets nginx's refusal apart from the service's own. */
async function otherThanOurs(refused: Response): Promise<string[]> {
  const ours: Record<string, unknown> = {
    status: 503,
    'retry-after': '2',
    'content-type': 'application/json; charset=utf-8',
    body: {
      success: false,
      extras: { message: text(ENGLISH.id, 'serviceBusy'), code: 'serviceBusy' },
    },
  };
  const said: Record<string, unknown> = {
    status: refused.status,
    'retry-after': refused.headers.get('retry-after'),
    'content-type': refused.headers.get('content-type'),
    body: await refused.json(),
  };
  return Object.keys(ours)
    .filter((part) => !isDeepStrictEqual(said[part], ours[part]))
    .map((part) => `Its ${part} is ${JSON.stringify(said[part])}`);
}

/** Pages at once, calls when they are told to. */
async function instance(underWay: ServerResponse[]) {
  let holds = true;
  const server = createServer((asked, answer) => {
    asked.resume();
    asked.on('end', () => {
      if (holds && asked.url?.startsWith('/api/')) underWay.push(answer);
      else answer.setHeader('date', CLOCK).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    answerAll: () => {
      holds = false;
      for (const answer of underWay) answer.end();
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
