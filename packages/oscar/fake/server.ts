/** A server that plays an OSCAR: its HTTP side, with the faults that a test or a person switches on. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { type Fields, Memory } from './memory.ts';
import { Consents } from './oauth.ts';
import { answerPage } from './page.ts';
import { type ProfileName, profiles } from './profiles.ts';
import { Unreadable, answerRest, isRestWrite, xmlFault } from './rest.ts';
import { credentials, seed } from './seed.ts';
import { answerSoap, callOf, databaseDown, faultOf, isSoapWrite } from './soap.ts';
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
  /** In PEM; with it the server speaks TLS. */
  readonly certificate?: { readonly key: string; readonly cert: string };
}

export interface Reply {
  readonly status: number;
  /** Without a body there may be none. */
  readonly type?: string;
  readonly body: string;
  readonly location?: string;
  /** It refuses a login or token of SOAP. */
  readonly refusesLogin?: boolean;
}

export type FakeOscar = Awaited<ReturnType<typeof startFakeOscar>>;
/** What the page shows and switches. */
export type Played = Omit<
  FakeOscar,
  'today' | 'base' | 'page' | 'landLate' | 'act' | 'employ' | 'stop'
>;

const SESSION_MS = 120 * 60_000;
const HTML = 'text/html; charset=utf-8';
const JSON_TYPE = 'application/json;charset=UTF-8';
/** What a broken proxy sends after an answer that was complete. */
const AGAIN = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\nagain';
/** Real ones quote classes and patients' data: so does this, for a client must not repeat it. */
const failed = (body: string): Reply => ({
  status: 500,
  type: HTML,
  body: `<html><head><title>Error 500</title></head><body><h1>org.oscarehr.common.Exception</h1><pre>${body}</pre><br></body></html>`,
});
const notAdmitted = (reason: string): Reply => ({
  status: 500,
  type: JSON_TYPE,
  body: xmlFault(`ca.openosp.openo.webserv.oauth.OAuth1Exception: ${reason}`),
});
/** How CARLOS refuses by REST. */
const plainText = (status: number, body: string): Reply => ({ status, type: 'text/plain', body });
/** CXF where REST is off. */
const noService: Reply = {
  status: 404,
  type: 'text/html',
  body: '<html><body>No service was found.</body></html>',
};
/** A wrong token is a 401 there, and a wrong login a page. */
function asCarlos(reply: Reply): Reply {
  if (!reply.refusesLogin) return reply;
  return reply.body.includes('SecurityError')
    ? { ...reply, status: 401 }
    : { ...failed('login2'), refusesLogin: true };
}
const firewall: Reply = {
  status: 403,
  type: HTML,
  body: '<!DOCTYPE html><html><head><title>Attention required</title></head><body>Blocked.<br></body></html>',
};

export async function startFakeOscar(options: FakeOptions) {
  const { now = () => Date.now(), port = 0, lateMs = 30_000, certificate } = options;
  const scheme = certificate === undefined ? 'http' : 'https';
  const today = options.today ?? new Date(now() - 7 * 3_600_000).toISOString().slice(0, 10);
  const profile = profiles[options.profile];
  const memory = new Memory(now);
  seed(memory, today);
  const consents = new Consents(profile, now, () => Date.now() + switches.aheadSeconds * 1000);
  const switches = {
    nextWrite: 'none' as WriteFault,
    delayMs: 0,
    isDown: false,
    /** A proxy before it answers 429. */
    tooMany: false,
    database: 'up' as 'up' | 'down',
    /** Whether the SOAP login has a role; in CARLOS also that of the token's provider. */
    hasRole: true,
    /** Whether the SOAP login's date of expiry is past. */
    isExpired: false,
    /** What the roles of the token's provider do not let it write to, such as _tickler. */
    lacks: new Set<string>(),
    /** How far its clock is ahead of the true time. */
    aheadSeconds: 0,
    /** Where it believes to be asked, such as http://127.0.0.1:8080, where a proxy before it hides that. */
    seenAs: null as string | null,
    /** Whether ModuleNames contains REST. */
    hasRest: true,
    /** How long SOAP looks at a login or token before it refuses it: a real one takes 700 ms. */
    refusalMs: 0,
    /** Asked of every request before it is done: a receptionist may be faster, or something go wrong. */
    meets: (_request: Incoming): Fault => 'none',
  };
  const calls = new Map<string, number>();
  let sessions: number[] = [];
  const late: (() => void)[] = [];
  let startedAt = now();
  let hung: { what: 'database' | 'tomcat'; over: Promise<void>; resume: () => void } | undefined;
  let staff: NodeJS.Timeout | undefined;

  const token = () =>
    createHash('sha256').update(`${startedAt} ${credentials.soap.password}`).digest('hex');

  function rest(method: string, url: URL, header: string, body: string): Act {
    const path = url.pathname.slice(`${profile.context}/ws/services`.length);
    const { actsAs, word = '' } = consents.admit(method, url.href, header, path);
    return {
      name: `${method} ${path.replaceAll(/\d[\d,-]*/g, 'n')}`,
      writes: isRestWrite(method, path) && actsAs !== undefined,
      run: () => {
        if (!switches.hasRest) return noService;
        sessions.push(now());
        if (switches.database === 'down')
          return profile.isRestricted
            ? plainText(500, 'oauth_processing_error')
            : notAdmitted('oauth_authentication_failed');
        if (actsAs === undefined) {
          if (profile.isRestricted)
            return plainText(/_(scope|endpoint)$/.test(word) ? 403 : 401, word);
          if (header === '') return failed('no OAuth header');
          return profile.badToken === 401 ? plainText(401, '') : notAdmitted(word);
        }
        if (profile.isRestricted && !switches.hasRole)
          return { status: 403, type: JSON_TYPE, body: '{"code":"ACCESS_DENIED"}' };
        try {
          const { status, text } = answerRest(method, path, {
            memory,
            profile,
            actsAs,
            lacks: switches.lacks,
            query: url.searchParams,
            body: JSON.parse(body || '{}') as Fields,
          });
          return { status, ...(text !== '' && { type: JSON_TYPE }), body: text };
        } catch (error) {
          if (error instanceof Unreadable && profile.isRestricted)
            return { status: 400, type: JSON_TYPE, body: '{"code":"VALIDATION_ERROR"}' };
          if (error instanceof Unreadable && profile.badToken === 500)
            return { status: 500, body: '' };
          return failed(`${String(error)}\n${body}`);
        }
      },
    };
  }

  function soap(service: string, body: string): Act {
    if (!profile.admitsSoap) return asked('firewall', () => firewall);
    const call = callOf(body);
    if (call === undefined)
      return asked('soap', () => failed('org.apache.cxf.binding.soap.SoapFault'));
    const run = (): Reply => {
      if (profile.isRestricted && service === 'SystemInfoService')
        return { status: 404, type: HTML, body: 'Not found' };
      const { hasRole, isExpired, database } = switches;
      const answer =
        database === 'down' && service !== 'SystemInfoService'
          ? faultOf(new Error(databaseDown))
          : answerSoap(service, call, { memory, profile, token: token(), hasRole, isExpired });
      const reply = { type: 'text/xml;charset=UTF-8', ...answer };
      return profile.isRestricted ? asCarlos(reply) : reply;
    };
    return { name: call.operation, writes: isSoapWrite(call.operation), run };
  }

  /** The first and the last leg of the handshake. */
  function oauth(leg: string, method: string, url: URL, header: string, body: string): Reply {
    if (!switches.hasRest) return noService;
    const type = 'application/x-www-form-urlencoded;charset=UTF-8';
    if (leg === 'token') {
      const answer = consents.exchange(method, url.href, header);
      return 'token' in answer
        ? { status: 200, type, body: answer.token }
        : { status: 401, type, body: answer.error };
    }
    if (method !== 'POST') return { status: 405, body: '' };
    const { token, status = 500, word = '' } = consents.initiate(method, url.href, header, body);
    if (token !== undefined) return { status: 200, type, body: token };
    if (profile.isRestricted && word !== '') return plainText(status, word);
    return profile.badToken === 401 ? { status: 401, body: '' } : failed('initiate');
  }

  function actOf(method: string, url: URL, header: string, body: string): Act {
    const { pathname } = url;
    const path = pathname.startsWith(profile.context)
      ? pathname.slice(profile.context.length)
      : pathname;
    if (path.startsWith('/ws/services/')) return rest(method, url, header, body);
    const [, service] = /^\/ws\/(\w+Service)$/.exec(path) ?? [];
    if (service !== undefined) return soap(service, body);
    const [, leg] = /^\/ws\/oauth\/(initiate|token)$/.exec(path) ?? [];
    if (leg !== undefined) return asked(leg, () => oauth(leg, method, url, header, body));
    return asked('page', () => answerPage(method, url, body, played));
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const url = new URL(
      request.url ?? '/',
      switches.seenAs ?? `${scheme}://${request.headers.host ?? 'localhost'}`,
    );
    const act = actOf(request.method ?? 'GET', url, request.headers.authorization ?? '', body);
    if (act.name !== 'page') {
      calls.set(act.name, (calls.get(act.name) ?? 0) + 1);
      if (switches.delayMs > 0) await wait(switches.delayMs);
      if (switches.tooMany) return send(response, { status: 429, type: HTML, body: 'Too many' });
      const asksDatabase = !url.pathname.endsWith('/SystemInfoService');
      if (hung?.what === 'tomcat' || (hung?.what === 'database' && asksDatabase)) await hung.over;
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
    if (reply.refusesLogin) await wait(switches.refusalMs);
    if (fault === 'silent') return undefined;
    if (fault === 'answeredLate') await wait(lateMs);
    if (fault === 'answeredTwice') response.once('finish', () => request.socket.write(AGAIN));
    if (fault === 'cutAfter') return request.socket.destroy();
    const at = now() + switches.aheadSeconds * 1000;
    return send(response, fault === 'doneBut500' ? failed(body) : reply, at);
  }

  /** Does now what was to be done late. */
  function landLate() {
    for (const run of late.splice(0)) run();
  }

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    serve(request, response).catch(() => request.socket.destroy());
  };
  const server =
    certificate === undefined
      ? createServer(answer)
      : createSecureServer({ key: certificate.key, cert: certificate.cert }, answer);
  // A client of the same process, whose thread was long at work, could meet a connection that closes just then.
  server.keepAliveTimeout = 0;

  const played = {
    profile: options.profile,
    memory,
    consents,
    switches,
    /** Requests by what they asked for. */
    calls,
    /** What Tomcat keeps: each call by REST leaves one for two hours, SOAP leaves none. */
    httpSessions() {
      sessions = sessions.filter((at) => at > now() - SESSION_MS);
      return sessions.length;
    },
    /** As after a restart of Tomcat: SOAP tokens change. */
    restart() {
      startedAt += 1000;
      sessions = [];
    },
    /**
     * Takes requests and answers none until it resumes: a Tomcat that starts, or one whose database hangs. A guess
     * for the first: what was sent meanwhile is done then, though nobody waits for it.
     */
    hang(what: 'database' | 'tomcat') {
      const { promise: over, resolve: resume } = Promise.withResolvers<void>();
      hung = { what, over, resume };
    },
    resume() {
      hung?.resume();
      hung = undefined;
    },
    isHung: () => hung !== undefined,
    expireToken: () => consents.access.clear(),
  };
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const { port: taken } = server.address() as AddressInfo;

  return {
    ...played,
    today,
    base: `${scheme}://127.0.0.1:${taken}${profile.context}`,
    page: `${scheme}://127.0.0.1:${taken}/`,
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

/** What writes nothing. */
const asked = (name: string, run: () => Reply): Act => ({ name, writes: false, run });

function send(
  response: ServerResponse,
  { status, type, body, location }: Reply,
  at = Date.now(),
): void {
  response.writeHead(status, {
    date: new Date(at).toUTCString(),
    ...(type !== undefined && { 'content-type': type }),
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    'x-content-type-options': 'nosniff',
    ...(location === undefined ? {} : { location }),
  });
  response.end(body);
}
