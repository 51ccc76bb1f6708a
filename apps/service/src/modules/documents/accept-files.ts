import { setInterval } from 'node:timers';
import { Worker } from 'node:worker_threads';
import {
  ACCEPTED_FILES,
  type AcceptedFiles,
  type FileKind,
  MOST_FILE_BYTES,
  kindOfFile,
} from '@clinic/domain';
import pLimit from 'p-limit';
import sharp from 'sharp';
import type { UploadedFile } from '../../server/multipart.ts';
import { Refusal, refuse, said } from '../../server/refusal.ts';

type ImageKind = Exclude<FileKind, 'pdf' | 'text'>;

/** A file as it is kept; pictures and PDF are written anew by us. */
export interface AcceptedFile {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface NamedFile extends AcceptedFile {
  readonly name: string;
}

/** All files of a form, or the refusal of the first that cannot be kept: then none is. */
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

/** The same refusal, with the field of the form that it is about. */
const about = (field: string, { code }: Refusal) =>
  refuse(code, { errors: [{ field, message: said(code) }] });

/** S-4: what a file is, its content decides; what is kept of it, we write. */
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
 * Lets so much work run at once, and not too much wait behind it, so that it never crowds out
 * bookings; null when too much waits already.
 */
export function turnsOf(atOnce: number, waitingAtMost: number) {
  const limit = pLimit(atOnce);
  return async <T>(work: () => Promise<T>): Promise<T | null> =>
    limit.activeCount >= atOnce && limit.pendingCount >= waitingAtMost ? null : limit(work);
}

/** A 40-megapixel picture takes some 150 MB while it is drawn; passwords need libuv's threads too. */
const imageTurns = turnsOf(2, 24);
const documentTurns = turnsOf(1, 24);

/** 40 megapixels. */
const PIXELS = 40_000_000;
const READERS = ['Jpeg', 'Png', 'Nsgif', 'Webp'].map((each) => `VipsForeignLoad${each}Buffer`);

// libvips knows many formats more; what is read here is all that it may read.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: READERS });
sharp.cache(false);
sharp.concurrency(1);

/** What a picture is drawn as; of a GIF one frame is left. */
const drawnAs = { jpeg: 'jpeg', png: 'png', gif: 'png', webp: 'webp' } as const;

/**
 * The picture drawn anew from its pixels: turned upright, its first frame only, and without anything
 * that was not a pixel. It runs on libuv's threads.
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

/** A PDF of 10 MB needs half of it; a bomb has it in no time. */
const MEMORY_MB = { pdf: 128, text: 80 };
const MOST_IN_BUFFERS = 96 * 1024 * 1024;
const WATCH_MS = 25;
const LONGEST_MS = 10_000;

/**
 * Reads a PDF or a text in a thread of its own, so that neither its size nor what it inflates to
 * holds up anybody. A document that takes more than its share of time or memory is refused.
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
  const { promise, resolve, reject } = Promise.withResolvers<AcceptedFile | null>();
  worker.once('message', resolve);
  worker.once('exit', () => resolve(null));
  worker.once('error', (error: NodeJS.ErrnoException) =>
    error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(null) : reject(error),
  );
  let looks = 0;
  // The limits of a worker do not count buffers, which is what a stream inflates into.
  const watch = setInterval(() => {
    if (++looks * WATCH_MS > LONGEST_MS) resolve(null);
    worker.getHeapStatistics().then(
      ({ external_memory: buffers }) => (buffers > MOST_IN_BUFFERS ? resolve(null) : undefined),
      () => undefined,
    );
  }, WATCH_MS);
  try {
    return (await promise) ?? refuse('fileNotAccepted');
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}
