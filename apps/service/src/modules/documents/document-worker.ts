import { parentPort, workerData } from 'node:worker_threads';
import { type FileFault, faultOfFile, textType } from '@clinic/domain';
import type { AcceptedFile } from './accept-files.ts';

/** This file runs in a thread of its own, which is ended when it takes too much time or memory. */
const { bytes, kind } = workerData as {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly kind: 'pdf' | 'text';
};

async function check(): Promise<AcceptedFile | FileFault | null> {
  const fault = faultOfFile(kind, bytes);
  if (fault !== null) return fault;
  if (kind === 'text') return { mediaType: textType(bytes), bytes };
  // Loaded only for PDFs, because it is large.
  const { checkPdf } = await import('./check-pdf.ts');
  const written = await checkPdf(bytes);
  return written && { mediaType: 'application/pdf', bytes: written };
}

parentPort?.postMessage(await check());
