import { setInterval } from 'node:timers';
import { Worker } from 'node:worker_threads';
import type { CheckedDocument } from './document-worker.ts';

/** A PDF of 10 MB needs half of it; a bomb has it in no time. */
const MEMORY_MB = { pdf: 128, text: 80 };
const BUFFERS_MB = 96;
const WATCH_MS = 25;
const LONGEST_MS = 10_000;

/**
 * Reads a PDF or a text in a thread of its own, so that neither its size nor what it inflates to
 * holds up anybody. A document that takes more than its share of time or memory is refused.
 */
export function checkDocument(
  bytes: Uint8Array,
  kind: 'pdf' | 'text',
): Promise<CheckedDocument | null> {
  const copy = new Uint8Array(bytes);
  const worker = new Worker(new URL('document-worker.ts', import.meta.url), {
    workerData: { bytes: copy, kind },
    transferList: [copy.buffer],
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB[kind], maxYoungGenerationSizeMb: 16 },
    env: {},
    stdout: true,
    stderr: true,
  });
  return new Promise((resolve, reject) => {
    let looks = 0;
    let ended = false;
    const end = (settle: () => void) => {
      if (ended) return;
      ended = true;
      clearInterval(watch);
      void worker.terminate().then(settle);
    };
    const finish = (checked: CheckedDocument | null) => end(() => resolve(checked));
    // The limits of a worker do not count buffers, which is what a stream inflates into.
    const watch = setInterval(() => {
      if (++looks * WATCH_MS > LONGEST_MS) finish(null);
      worker.getHeapStatistics().then(
        ({ external_memory }) => {
          if (external_memory > BUFFERS_MB * 1024 * 1024) finish(null);
        },
        () => undefined,
      );
    }, WATCH_MS);
    worker.once('message', (checked: CheckedDocument | null) => finish(checked));
    worker.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? finish(null) : end(() => reject(error)),
    );
    worker.once('exit', () => finish(null));
  });
}
