import http from 'node:http';
import https from 'node:https';
import { text as textOf } from 'node:stream/consumers';
import { TLSSocket } from 'node:tls';

/** The service as patients reach it: through its name, its certificate and its proxy. */
export interface SeenFromOutside {
  /** Why patients are not served; null when they are. */
  readonly why: string | null;
  /** In epoch milliseconds; null without a certificate. */
  readonly certificateEndsAt: number | null;
  /** Whether open pages get their live connection. */
  readonly isLive: boolean;
  /** The version that answers; null where it does not say. */
  readonly version: string | null;
}

/** Twice this is less than the doctor waits. */
const LONGEST_MS = 7_000;
const UPGRADE = {
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-version': '13',
  'sec-websocket-key': Buffer.alloc(16).toString('base64'),
};

const UNSERVED = { certificateEndsAt: null, isLive: false, version: null };

/** Looks at the service as a browser of a stranger would. */
export async function lookFromOutside(publicUrl: string): Promise<SeenFromOutside> {
  const origin = new URL(publicUrl).origin;
  try {
    const { status, text, certificateEndsAt } = await ask(`${origin}/readyz`);
    if (status !== 200)
      return { ...UNSERVED, why: unready(origin, status, text), certificateEndsAt };
    const live = await ask(`${origin}/socket.io/?EIO=4&transport=websocket`, {
      ...UPGRADE,
      origin,
    });
    const version = versionIn(text);
    return { why: null, certificateEndsAt, isLive: live.status === 101, version };
  } catch (error) {
    return { ...UNSERVED, why: `${origin} does not answer (${wordOf(error)})` };
  }
}

/** Why patients cannot book, as far as strangers can see it; null when they can. */
export async function whyNobodyBooks(publicUrl: string): Promise<string | null> {
  const { why } = await lookFromOutside(publicUrl);
  if (why !== null) return why;
  const origin = new URL(publicUrl).origin;
  try {
    const { status, text } = await ask(`${origin}/api/services/oscarStatus`);
    if (status !== 200) return unready(origin, status, text);
    if ((JSON.parse(text) as { readonly status?: unknown }).status === true) return null;
    return `${origin} tells patients that it is closed (npm run clinic -- status says why)`;
  } catch (error) {
    return `${origin} does not answer (${wordOf(error)})`;
  }
}

/** With the word of the service itself, where it is one of ours. */
function unready(origin: string, status: number, text: string): string {
  const [, said] = /^\{"status":"([\w -]{1,40})"/.exec(text) ?? [];
  return `${origin} answers ${status}${said === undefined ? '' : `, ${said}`}`;
}

const versionIn = (text: string): string | null =>
  /"version":"([\w.+-]{1,40})"/.exec(text)?.[1] ?? null;

const wordOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : String(error);

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly certificateEndsAt: number | null;
}

function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { request } = url.startsWith('https:') ? https : http;
  const asked = request(url, { headers, agent: false, signal: AbortSignal.timeout(LONGEST_MS) });
  const answered = (response: http.IncomingMessage, text: string) =>
    resolve({ status: response.statusCode ?? 0, text, certificateEndsAt: endOf(response.socket) });
  asked.on('upgrade', (response, socket) => {
    answered(response, '');
    socket.destroy();
  });
  asked.on('response', (response) => {
    textOf(response).then((text) => answered(response, text), reject);
  });
  asked.on('error', reject);
  asked.end();
  return promise;
}

const endOf = (socket: unknown): number | null =>
  socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) : null;
