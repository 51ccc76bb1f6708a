import { parentPort, workerData } from 'node:worker_threads';
import type { AcceptedFile } from './accept-files.ts';

/** Runs in a thread of its own that is ended when it takes too much time or memory. */
const { bytes, kind } = workerData as {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly kind: 'pdf' | 'text';
};

async function check(): Promise<AcceptedFile | null> {
  // Only what this document needs is loaded.
  if (kind === 'pdf') {
    const { checkPdf } = await import('./check-pdf.ts');
    const written = await checkPdf(bytes);
    return written && { mediaType: 'application/pdf', bytes: written };
  }
  const { checkText } = await import('./check-text.ts');
  const mediaType = checkText(bytes);
  return mediaType && { mediaType, bytes };
}

parentPort?.postMessage(await check());
