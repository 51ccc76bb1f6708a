/** A server that plays an OSCAR: its HTTP side, with the faults that a test or a person switches on. */
import { createHash } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { Memory } from './memory.ts';
import { Consents } from './oauth.ts';
import { answerPage } from './page.ts';
import { type ProfileName, profiles } from './profiles.ts';
import { answerRest, isRestWrite } from './rest.ts';
import { credentials, seed } from './seed.ts';
import { answerSoap, callOf, isSoapWrite } from './soap.ts';
import { actAtRandom } from './staff.ts';

export type WriteFault =
  | 'none'
  /** The write is done and answered with a 500. */
  | 'doneBut500'
  /** The write is done and the connection cut. */
  | 'cutAfter'
  /** The connection is cut, and the write is done half a minute later. */
  | 'cutThenLate'
  /** The server fails before it writes. */
  | 'refused500';

/** What goes wrong with a request of any kind. */
export type Fault =
  | WriteFault
  /** It is done, and nobody is ever told. */
  | 'silent'
  /** It is done at once and answered `lateMs` later. */
  | 'answeredLate'
  /** A second answer follows the first on the same connection. */
  | 'answeredTwice';

/** A request as it comes in; `body` as it was sent. */
export interface Incoming {
  readonly name: string;
  readonly writes: boolean;
  readonly body: string;
}

export interface FakeOptions {
  readonly profile: ProfileName;
  readonly port?: number;
  /** The first day with a template; today at a clinic seven hours behind UTC. */
  readonly today?: string;
  readonly now?: () => number;
  /** How late a late write is. */
  readonly lateMs?: number;
}

export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly location?: string;
}

export type FakeOscar = Awaited<ReturnType<typeof startFakeOscar>>;
/** What the page shows and switches. */
export type Played = Pick<
  FakeOscar,
  'memory' | 'switches' | 'profile' | 'restart' | 'expireToken' | 'consents' | 'calls'
>;

const HTML = 'text/html; charset=utf-8';
/** What a broken proxy sends after an answer that was complete. */
const AGAIN = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\nagain';
/** Real ones quote classes and patients' data: so does this, for a client must not repeat it. */
const failed = (body: string): Reply => ({
  status: 500,
  type: HTML,
  body: `<html><head><title>Error 500</title></head><body><h1>org.oscarehr.common.Exception</h1><pre>${body}</pre><br></body></html>`,
});
const firewall: Reply = {
  status: 403,
  type: HTML,
  body: '<!DOCTYPE html><html><head><title>Attention required</title></head><body>Blocked.<br></body></html>',
};

export async function startFakeOscar(options: FakeOptions) {
  const { now = () => Date.now(), port = 0, lateMs = 30_000 } = options;
  const today = options.today ?? new Date(now() - 7 * 3_600_000).toISOString().slice(0, 10);
  const profile = profiles[options.profile];
  const memory = new Memory(now);
  seed(memory, today);
  const consents = new Consents();
  const switches = {
    nextWrite: 'none' as WriteFault,
    delayMs: 0,
    isDown: false,
    /** Asked of every request before it is done: a receptionist may be faster, or something go wrong. */
    meets: (_request: Incoming): Fault => 'none',
  };
  const calls = new Map<string, number>();
  const late: (() => void)[] = [];
  let startedAt = now();
  let staff: NodeJS.Timeout | undefined;

  const token = () =>
    createHash('sha256').update(`${startedAt} ${credentials.soap.password}`).digest('hex');

  function rest(method: string, url: URL, header: string, body: string): Act {
    const path = url.pathname.slice('/oscar/ws/services'.length);
    const actsAs = consents.actsAs(method, url.href, header);
    return {
      name: `${method} ${path.replaceAll(/\d[\d,-]*/g, 'n')}`,
      writes: isRestWrite(method, path) && actsAs !== undefined,
      run: () => {
        if (actsAs === undefined)
          return profile.badToken === 500
            ? failed('oauth.signpost.OAuth1Exception: token_rejected')
            : { status: 401, type: 'text/plain', body: '' };
        try {
          const fields = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
          const context = { memory, profile, actsAs, query: url.searchParams, body: fields };
          const answer = answerRest(method, path, context);
          if (answer === undefined) return { status: 404, type: HTML, body: 'No such service' };
          return {
            status: answer.status ?? 200,
            type: answer.xml === undefined ? 'application/json' : 'application/xml',
            body: answer.xml ?? (answer.json === undefined ? '' : JSON.stringify(answer.json)),
          };
        } catch (error) {
          return failed(`${String(error)}\n${body}`);
        }
      },
    };
  }

  function soap(service: string, body: string): Act {
    if (!profile.admitsSoap) return { name: 'firewall', writes: false, run: () => firewall };
    const call = callOf(body);
    if (call === undefined)
      return {
        name: 'soap',
        writes: false,
        run: () => failed('org.apache.cxf.binding.soap.SoapFault'),
      };
    return {
      name: call.operation,
      writes: isSoapWrite(call.operation),
      run: () => ({
        type: 'text/xml; charset=utf-8',
        ...answerSoap(service, call, { memory, profile, token: token() }),
      }),
    };
  }

  function oauth(method: string, url: URL, header: string): Act {
    const leg = url.pathname.endsWith('initiate') ? 'initiate' : 'exchange';
    return {
      name: leg,
      writes: false,
      run: () => {
        const body = consents[leg](method, url.href, header);
        return body === undefined
          ? { status: 401, type: 'text/plain', body: '' }
          : { status: 200, type: 'application/x-www-form-urlencoded', body };
      },
    };
  }

  function actOf(method: string, url: URL, header: string, body: string): Act {
    const { pathname } = url;
    if (pathname.startsWith('/oscar/ws/services/')) return rest(method, url, header, body);
    const [, service] = /^\/oscar\/ws\/(\w+Service)$/.exec(pathname) ?? [];
    if (service !== undefined) return soap(service, body);
    if (/^\/oscar\/ws\/oauth\/(initiate|token)$/.test(pathname)) return oauth(method, url, header);
    return { name: 'page', writes: false, run: () => answerPage(method, url, body, played) };
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'localhost'}`);
    const act = actOf(request.method ?? 'GET', url, request.headers.authorization ?? '', body);
    if (act.name !== 'page') {
      calls.set(act.name, (calls.get(act.name) ?? 0) + 1);
      if (switches.delayMs > 0) await wait(switches.delayMs);
      if (switches.isDown) return send(response, { status: 503, type: HTML, body: 'Down' });
    }
    const { name, writes } = act;
    const met = name === 'page' ? 'none' : switches.meets({ name, writes, body });
    const fault = writes && switches.nextWrite !== 'none' ? switches.nextWrite : met;
    if (writes) switches.nextWrite = 'none';
    if (fault === 'refused500') return send(response, failed(body));
    if (fault === 'cutThenLate') {
      late.push(act.run);
      setTimeout(landLate, lateMs).unref();
      return request.socket.destroy();
    }
    const reply = act.run();
    if (fault === 'silent') return undefined;
    if (fault === 'answeredLate') await wait(lateMs);
    if (fault === 'answeredTwice') response.once('finish', () => request.socket.write(AGAIN));
    if (fault === 'cutAfter') return request.socket.destroy();
    return send(response, fault === 'doneBut500' ? failed(body) : reply);
  }

  /** Does now what was to be done late. */
  function landLate() {
    for (const run of late.splice(0)) run();
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => request.socket.destroy());
  });

  const played = {
    profile: options.profile,
    memory,
    consents,
    switches,
    /** Requests by what they asked for. */
    calls,
    /** As after a restart of Tomcat: SOAP tokens change. */
    restart() {
      startedAt += 1000;
    },
    expireToken: () => consents.access.clear(),
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: taken } = server.address() as AddressInfo;

  return {
    ...played,
    today,
    base: `http://127.0.0.1:${taken}/oscar`,
    page: `http://127.0.0.1:${taken}/`,
    landLate,
    /** One receptionist does one thing at random. */
    act: (random: () => number) => actAtRandom(memory, random),
    /** Receptionists do so many things a minute, until the server stops. */
    employ(actsAMinute: number) {
      staff = setInterval(() => actAtRandom(memory, Math.random), 60_000 / actsAMinute);
    },
    async stop() {
      clearInterval(staff);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface Act {
  readonly name: string;
  readonly writes: boolean;
  readonly run: () => Reply;
}

function send(response: ServerResponse, { status, type, body, location }: Reply): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    'x-content-type-options': 'nosniff',
    ...(location === undefined ? {} : { location }),
  });
  response.end(body);
}
