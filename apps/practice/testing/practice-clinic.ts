import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

import {
  type PracticeClinic,
  type PracticeOptions,
  openPracticeClinic,
} from '../src/open-practice-clinic.ts';

/** A practice clinic for the tests of a file, or of a group, in a folder that goes with it. */
export function practiceClinic(options: Partial<PracticeOptions> = {}): () => PracticeClinic {
  const folder = mkdtempSync(join(tmpdir(), 'practice-'));
  let clinic: PracticeClinic;
  beforeAll(async () => {
    clinic = await openPracticeClinic({
      dataDir: folder,
      publicUrl: 'http://127.0.0.1:3000',
      startsAt: Date.parse('2026-12-15T20:00:00Z') / 1000,
      webRoot: null,
      logLevel: 'silent',
      ...options,
    });
  });
  afterAll(async () => {
    await clinic.app.close();
    await clinic.close();
    rmSync(folder, { recursive: true });
  });
  return () => clinic;
}
