import { gzipSync } from 'node:zlib';

import type { Page, Request } from '@playwright/test';

/** What a page may load of scripts until it stands, compressed by gzip, in bytes of a thousand to the kB. */
export const MOST_KB = { login: 105, booking: 145, deskSignIn: 110, daySheet: 130 } as const;

/** A file that a page has fetched. */
export interface Fetched {
  readonly type: string;
  readonly path: string;
  /** As it is sent to a browser that takes gzip; pictures and fonts are compressed in themselves. */
  readonly bytes: number;
}

/** All that a new page fetches of our origin, calls apart, until its network is quiet. */
export async function fetchedBy(page: Page, path: string): Promise<Fetched[]> {
  await page.addInitScript(withoutLaterTimers);
  const types = new Map<string, string>();
  const note = (request: Request) => types.set(request.url(), request.resourceType());
  page.on('request', note);
  await page.goto(path, { waitUntil: 'networkidle' });
  page.off('request', note);
  const files = [...types].filter(([, type]) => FILES.includes(type));
  return Promise.all(files.map(([url, type]) => sized(url, type)));
}

/** What a page asks for by itself a second later is not awaited by anybody. Runs in the page. */
function withoutLaterTimers(): void {
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const set = window[name].bind(window) as typeof window.setTimeout;
    const sooner = (run: () => void, ms = 0) => (ms < 1_000 ? set(run, ms) : 0);
    Object.assign(window, { [name]: sooner });
  }
}

const TEXTS = ['script', 'stylesheet'];
const FILES = [...TEXTS, 'font', 'image'];

async function sized(url: string, type: string): Promise<Fetched> {
  const body = Buffer.from(await (await fetch(url)).arrayBuffer());
  const bytes = TEXTS.includes(type) ? gzipSync(body, { level: 9 }).length : body.length;
  return { type, path: new URL(url).pathname, bytes };
}

/** Of the scripts alone. */
export const scriptsKb = (fetched: readonly Fetched[]): number =>
  fetched.filter(({ type }) => type === 'script').reduce((sum, { bytes }) => sum + bytes, 0) / 1000;
