import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

/**
 * A load generator on bare sockets, keep-alive, one request at a time per connection: an HTTP client
 * library would cost more than the server that it measures.
 */
export interface Load {
  readonly port: number;
  readonly connections: number;
  /** The next request's bytes, or null when this connection has done its part. */
  readonly next: () => Buffer | null;
  /** What the same connection sends because of an answer, before its next request. */
  readonly follow?: (answer: string, request: Buffer) => Buffer | null;
}

export interface LoadResult {
  readonly seconds: number;
  /** Requests, those that followed from others included. */
  readonly perSecond: number;
  readonly latencies: readonly number[];
  readonly statuses: ReadonlyMap<number, number>;
}

export function requestBytes(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Buffer {
  const lines = Object.entries({
    host: '127.0.0.1',
    ...headers,
    ...(body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

export async function load({ port, connections, ...script }: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  const statuses = new Map<number, number>();
  const sockets = await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      await once(socket, 'connect');
      return socket;
    }),
  );
  const began = performance.now();
  await Promise.all(sockets.map((socket) => drive(socket, script, latencies, statuses)));
  const seconds = (performance.now() - began) / 1000;
  for (const socket of sockets) socket.destroy();
  return { seconds, perSecond: latencies.length / seconds, latencies, statuses };
}

/** Sends one request after the other; an answer ends where its content-length says. */
function drive(
  socket: Socket,
  { next, follow }: Pick<Load, 'next' | 'follow'>,
  latencies: number[],
  statuses: Map<number, number>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let sent: Buffer = Buffer.alloc(0);
    let missing = 0;
    let head: Buffer = Buffer.alloc(0);
    let body: Buffer[] = [];
    const send = (following: Buffer | null) => {
      const bytes = following ?? next();
      if (bytes === null) return resolve();
      sent = bytes;
      sentAt = performance.now();
      socket.write(bytes);
    };
    const answered = () => {
      latencies.push(performance.now() - sentAt);
      const answer = Buffer.concat(body).toString();
      body = [];
      send(follow?.(answer, sent) ?? null);
    };
    socket.on('data', (chunk: Buffer) => {
      if (missing > 0) {
        missing -= chunk.length;
        if (follow) body.push(chunk);
        if (missing === 0) answered();
        return;
      }
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      const status = Number(text.slice(9, 12));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? Number.NaN);
      if (Number.isNaN(length)) return reject(new Error(`No content-length in ${text}`));
      missing = length - (head.length - end - 4);
      if (follow) body.push(head.subarray(end + 4));
      head = Buffer.alloc(0);
      if (missing === 0) answered();
    });
    socket.on('error', reject);
    // A server that ends the connection ends its part of the work.
    socket.on('close', () => resolve());
    send(null);
  });
}

/** The same request until the time is over. */
export function sameUntil(bytes: Buffer, seconds: number): Load['next'] {
  const end = performance.now() + seconds * 1000;
  return () => (performance.now() < end ? bytes : null);
}
