import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runInForeground } from './foreground.mjs';
import { environment, root } from './node-path.mjs';

/** A run that broke outside its tests has failed, whatever the tests say. */
function counted(report, exitCode) {
  const { numPassedTests = 0, numFailedTests = 0, numFailedTestSuites = 0 } = report;
  const { numPendingTests = 0, numTodoTests = 0 } = report;
  const failed = numFailedTests + numPendingTests + numTodoTests;
  const brokenFiles = (report.testResults ?? []).filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length;
  const sum = failed + brokenFiles;
  const outside = sum === 0 && (exitCode !== 0 || numFailedTestSuites > 0) ? 1 : 0;
  return { passed: numPassedTests, failed: sum + outside };
}

/** Runs the houses of these vitest projects; a skipped test counts as failed. */
export async function runVitest(projects, environmentOfRun = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-vitest-'));
  const file = join(folder, 'report.json');
  const args = [
    'node_modules/vitest/vitest.mjs',
    'run',
    ...[projects].flat().map((project) => `--project=${project}`),
    '--reporter=dot',
    '--reporter=json',
    `--outputFile.json=${file}`,
    '--passWithNoTests',
  ];
  try {
    const env = { ...environment(), ...environmentOfRun };
    const exitCode = await runInForeground(process.execPath, args, { cwd: root, env });
    return counted(readReport(file), exitCode);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}
