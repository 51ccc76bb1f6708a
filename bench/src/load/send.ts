import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';

import type { Call } from './visitors.ts';

export interface Answer {
  readonly kind: string;
  /** When it was to be sent, in milliseconds since the load began: who comes late waits, too. */
  readonly dueAt: number;
  readonly ms: number;
  /** 0 where none came. */
  readonly status: number;
  readonly saysWhenAgain: boolean;
}

const GIVES_UP_MS = 15_000;

/** Sends calls on connections that are kept, to each of the ports in turn. */
export function sender(ports: readonly number[]) {
  const agent = new Agent({ keepAlive: true });
  let turn = 0;

  const send = (call: Call, dueAt: number, began: number): Promise<Answer> =>
    new Promise((resolve) => {
      const port = ports[(turn += 1) % ports.length];
      const end = (status: number, text: string, saysWhenAgain: boolean) => {
        call.answered?.(status === 200 ? text : null);
        const ms = performance.now() - began - dueAt;
        resolve({ kind: call.kind, dueAt, ms, status, saysWhenAgain });
      };
      const body = call.body === undefined ? undefined : JSON.stringify(call.body);
      const asked = request(
        {
          agent,
          port,
          host: '127.0.0.1',
          method: call.method,
          path: call.path,
          timeout: GIVES_UP_MS,
          headers: {
            'x-access-token': call.token,
            ...(call.key === undefined ? {} : { 'idempotency-key': call.key }),
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          },
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (part: string) => (text += part));
          answer.on('error', () => end(0, '', false));
          answer.on('end', () =>
            end(answer.statusCode ?? 0, text, answer.headers['retry-after'] !== undefined),
          );
        },
      );
      asked.on('timeout', () => asked.destroy());
      asked.on('error', () => end(0, '', false));
      asked.end(body);
    });

  return {
    /** So many a second, whether or not those before are answered. */
    async atRate(next: () => Call, perSecond: number, seconds: number): Promise<Answer[]> {
      const began = performance.now();
      const all: Promise<Answer>[] = [];
      const total = Math.round(perSecond * seconds);
      while (all.length < total) {
        const now = performance.now() - began;
        while (all.length < total && (all.length / perSecond) * 1_000 <= now)
          all.push(send(next(), (all.length / perSecond) * 1_000, began));
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return Promise.all(all);
    },
    /** So many at once, each the next as soon as its last is answered. */
    async byClients(next: () => Call, clients: number, seconds: number): Promise<Answer[]> {
      const began = performance.now();
      const all: Answer[] = [];
      const client = async () => {
        for (;;) {
          const now = performance.now() - began;
          if (now > seconds * 1_000) return;
          all.push(await send(next(), now, began));
        }
      };
      await Promise.all(Array.from({ length: clients }, client));
      return all;
    },
    close: () => agent.destroy(),
  };
}
