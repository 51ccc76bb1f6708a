import { setInterval } from 'node:timers';
import { Worker } from 'node:worker_threads';
import {
  ACCEPTED_FILES,
  type AcceptedFiles,
  type FileFault,
  type FileKind,
  MOST_FILE_BYTES,
  kindOfFile,
} from '@clinic/domain';
import pLimit from 'p-limit';
import sharp from 'sharp';
import type { UploadedFile } from '../../server/multipart.ts';
import { Refusal, localized, refuse } from '../../server/refusal.ts';

type ImageKind = Exclude<FileKind, 'pdf' | 'text'>;

/** A file as it is stored; pictures and PDFs are written anew by the service. */
export interface AcceptedFile {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface NamedFile extends AcceptedFile {
  readonly name: string;
}

/** All files of a form, or the refusal of the first bad one: then none is accepted. */
export async function acceptFiles(
  files: readonly UploadedFile[],
  accept: AcceptedFiles,
): Promise<readonly NamedFile[] | Refusal> {
  const named: NamedFile[] = [];
  for (const [at, { name, bytes }] of files.entries()) {
    const decision = await acceptFile(bytes, accept);
    if (decision instanceof Refusal) return about(`file${at + 1}`, decision);
    named.push({ name, ...decision });
  }
  return named;
}

/** The same refusal, with the form's field to which it belongs. */
const about = (field: string, { code, details: { says } }: Refusal) =>
  refuse(code, { ...(says && { says }), errors: [{ field, message: localized(says ?? code) }] });

/** S-4: the content decides what kind of file it is. Pictures and PDFs are stored as written anew. */
export async function acceptFile(
  bytes: Uint8Array,
  accept: AcceptedFiles,
): Promise<AcceptedFile | Refusal> {
  if (bytes.byteLength > MOST_FILE_BYTES) return refuse('tooLarge');
  const kind = kindOfFile(bytes);
  if (kind === 'heic') return refuse('imageNotReadable');
  const accepted: readonly FileKind[] = ACCEPTED_FILES[accept];
  if (kind === null || !accepted.includes(kind)) return refuse('fileNotAccepted');
  const decision =
    kind === 'pdf' || kind === 'text'
      ? await documentTurns(() => checkDocument(bytes, kind))
      : await imageTurns(() => redrawImage(bytes, kind));
  return decision ?? refuse('serviceBusy');
}

/**
 * Limits how much work runs at once and how much waits, so that it never crowds out bookings. The work's
 * result is null when too much waits already.
 */
export function turnsOf(atOnce: number, waitingAtMost: number) {
  const limit = pLimit(atOnce);
  return async <T>(work: () => Promise<T>): Promise<T | null> =>
    limit.activeCount >= atOnce && limit.pendingCount >= waitingAtMost ? null : limit(work);
}

/** Redrawing a 40-megapixel picture takes some 150 MB, and password hashes need libuv's threads too. */
const imageTurns = turnsOf(2, 24);
const documentTurns = turnsOf(1, 24);

/** 40 megapixels. */
const PIXELS = 40_000_000;
const READERS = ['Jpeg', 'Png', 'Nsgif', 'Webp'].map((each) => `VipsForeignLoad${each}Buffer`);

// libvips can read many more formats; only the ones that are needed here are allowed.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: READERS });
sharp.cache(false);
sharp.concurrency(1);

/** The format in which a picture is stored; only one frame of a GIF is kept. */
const drawnAs = { jpeg: 'jpeg', png: 'png', gif: 'png', webp: 'webp' } as const;

/**
 * Draws a picture anew from its pixels: upright, the first frame only, without metadata or anything else
 * that is no pixel. Runs on libuv's threads.
 */
async function redrawImage(bytes: Uint8Array, kind: ImageKind): Promise<AcceptedFile | Refusal> {
  try {
    const open = () =>
      sharp(bytes, { limitInputPixels: false, sequentialRead: true, failOn: 'error', pages: 1 });
    const { format, width, height } = await open().metadata();
    if (format !== kind) return refuse('imageNotReadable');
    if (width * height > PIXELS) return refuse('tooLarge');
    const to = drawnAs[kind];
    const drawn = open()
      .autoOrient()
      .toFormat(to, to === 'png' ? {} : { quality: 88 });
    return { mediaType: `image/${to}`, bytes: await drawn.toBuffer() };
  } catch {
    return refuse('imageNotReadable');
  }
}

/** A PDF of 10 MB needs half of this; a decompression bomb soon needs more. */
const MEMORY_MB = { pdf: 128, text: 80 };
const MOST_IN_BUFFERS = 96 * 1024 * 1024;
const WATCH_MS = 25;
const LONGEST_MS = 10_000;

/**
 * Checks a PDF or a text in a thread of its own, so that neither its size nor its inflated size delays other
 * requests. A document that takes too much time or memory is refused.
 */
async function checkDocument(
  bytes: Uint8Array,
  kind: 'pdf' | 'text',
): Promise<AcceptedFile | Refusal> {
  const copy = new Uint8Array(bytes);
  const worker = new Worker(new URL('document-worker.ts', import.meta.url), {
    workerData: { bytes: copy, kind },
    transferList: [copy.buffer],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB[kind], maxYoungGenerationSizeMb: 16 },
    env: {},
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<AcceptedFile | FileFault | null>();
  worker.once('message', resolve);
  worker.once('exit', () => resolve(null));
  worker.once('error', (error: NodeJS.ErrnoException) =>
    error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(null) : reject(error),
  );
  let looks = 0;
  // A worker's limits do not count buffers, into which the streams of a PDF are inflated.
  const watch = setInterval(() => {
    if (++looks * WATCH_MS > LONGEST_MS) resolve(null);
    worker.getHeapStatistics().then(
      ({ external_memory: buffers }) => (buffers > MOST_IN_BUFFERS ? resolve(null) : undefined),
      () => undefined,
    );
  }, WATCH_MS);
  try {
    const found = (await promise) ?? 'fileNotAccepted';
    return typeof found === 'string' ? refuse('fileNotAccepted', { says: found }) : found;
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}
