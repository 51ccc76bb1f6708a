import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ensureWebIsBuilt } from './build-web.mjs';
import { runInForeground } from './foreground.mjs';
import { environment, root } from './node-path.mjs';

/** Runs the journeys of e2e in Chromium; a skipped one counts as failed. */
export async function runJourneys(environmentOfRun = {}) {
  ensureWebIsBuilt();
  const folder = mkdtempSync(join(tmpdir(), 'clinic-journeys-'));
  const file = join(folder, 'report.json');
  const args = [join(root, 'node_modules/@playwright/test/cli.js'), 'test', '--reporter=list,json'];
  try {
    const env = { ...environment(), ...environmentOfRun, PLAYWRIGHT_JSON_OUTPUT_NAME: file };
    const options = { cwd: join(root, 'e2e'), env };
    const exitCode = await runInForeground(process.execPath, args, options);
    const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = statistics(file);
    const failed = unexpected + flaky + skipped;
    const outside = failed === 0 && expected > 0 && exitCode !== 0 ? 1 : 0;
    return { passed: expected, failed: failed + outside };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function statistics(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).stats;
  } catch {
    return {};
  }
}
