// npm test: the checks, every suite of vitest.config.ts and the journeys in a browser. Prints a row
// for each suite, the failed tests by name and a closing line over all; a skipped test and an empty
// suite count as failed.
//
//   npm test -- race route   runs these suites alone
//   npm run test:long        runs the full numbers, and every route on both databases
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { startVitest } from 'vitest/node';

import { runInForeground } from './foreground.mjs';
import { environment, root } from './node-path.mjs';

const types = (folder) => [`types ${folder}`, 'node_modules/typescript/bin/tsc', '-p', folder];

/** Name, script and arguments. The long ones come first, so that the two queues end together. */
const checks = [
  types('apps/web'),
  ['format', 'node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'],
  ['lint', 'node_modules/oxlint/bin/oxlint'],
  ['planted lint violations', 'tools/probe-boundaries.mjs'],
  ['planted type violations', 'tools/probe-types.mjs'],
  // The service, the practice clinic and the commands together: each alone would check the service again.
  types('apps'),
  types('apps/desk'),
  types('packages/texts'),
  types('packages/ui'),
  types('packages/contract'),
  types('packages/oscar'),
  types('packages/domain'),
  types('packages/domain/tsconfig.pure.json'),
  types('e2e'),
  types('tools'),
  ['files', 'tools/check-files.mjs'],
  ['structure', 'tools/check-structure.mjs'],
  ['texts', 'tools/texts.mjs', 'check'],
  ['spec map', 'tools/check-spec-map.mjs'],
  ['configuration page', 'tools/gen-configuration.mjs'],
  ['tools', '--test', 'tools/*.test.mjs'],
];

async function runChecks() {
  const waiting = [...checks];
  const row = { name: 'check', passed: 0, failed: 0, seconds: 0 };
  const started = performance.now();
  const runNext = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const passed = await runCheck(check);
      row[passed ? 'passed' : 'failed'] += 1;
    }
  };
  await Promise.all([runNext(), runNext()]);
  return [{ ...row, seconds: secondsSince(started) }];
}

function runCheck([name, ...args]) {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: root, env: environment() });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => (output += chunk));
    }
    child.on('close', (code) => {
      console.log(`  ${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${secondsSince(started)} s)`);
      if (code !== 0) console.log(output.replaceAll(/^/gm, '    '));
      resolve(code === 0);
    });
  });
}

/** One row for each project. Its seconds are the sum over its files, several of which run at a time. */
async function runVitest(projects, workers) {
  const vitest = await startVitest('test', [], {
    watch: false,
    project: projects,
    maxWorkers: workers,
  });
  const modules = vitest.state.getTestModules();
  for (const module of modules.filter((each) => !each.ok())) {
    const broken = [...module.children.allTests('failed')];
    const where = `${module.project.name} ${module.relativeModuleId}`;
    failures.push(...module.errors().map((error) => `${where}\n${error.message}`));
    failures.push(
      ...broken.map((test) => `${where}: ${test.fullName}\n${test.result().errors[0]?.message}`),
    );
  }
  const rows = vitest.projects.map((project) => {
    const own = modules.filter((module) => module.project === project);
    const states = own.flatMap((module) => {
      const tests = [...module.children.allTests()].map((test) => test.result().state);
      const broken = module.state() === 'failed' && !tests.includes('failed');
      return broken ? [...tests, 'failed'] : tests;
    });
    const passed = states.filter((state) => state === 'passed').length;
    const milliseconds = own.map((module) => {
      const { duration, collectDuration, setupDuration, environmentSetupDuration } =
        module.diagnostic();
      return duration + collectDuration + setupDuration + environmentSetupDuration;
    });
    const seconds = Math.round(milliseconds.reduce((sum, each) => sum + each, 0) / 1000);
    return { name: project.name, passed, failed: states.length - passed, seconds };
  });
  const outside = vitest.state.getUnhandledErrors().length;
  await vitest.close();
  return outside === 0
    ? rows
    : [...rows, { name: 'outside of tests', passed: 0, failed: outside, seconds: 0 }];
}

function failuresOfJourneys({ suites = [], specs }) {
  const failed = specs.filter((spec) => !spec.ok);
  const named = failed.map(({ file, title, tests }) => {
    const { error } = tests.flatMap((test) => test.results).find((result) => result.error) ?? {};
    return `journey ${file}: ${title}\n${stripVTControlCharacters(error?.message ?? '')}`;
  });
  return [...named, ...suites.flatMap((suite) => failuresOfJourneys(suite))];
}

async function runJourneys(workers) {
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'clinic-journeys-'));
  const report = join(folder, 'report.json');
  const playwright = join(root, 'node_modules/@playwright/test/cli.js');
  const args = [playwright, 'test', '--config=e2e', '--reporter=list,json', `--workers=${workers}`];
  const env = { ...environment(), PLAYWRIGHT_JSON_OUTPUT_NAME: report };
  try {
    const exitCode = await runInForeground(process.execPath, args, {
      cwd: root,
      env,
      stdio: ['inherit', 'pipe', 'pipe'],
    });
    const { suites: files, stats } = JSON.parse(readFileSync(report));
    const { expected, unexpected, flaky, skipped } = stats;
    failures.push(...files.flatMap((file) => failuresOfJourneys(file)));
    const failed = unexpected + flaky + skipped;
    const outside = failed === 0 && exitCode !== 0 ? 1 : 0;
    return [
      {
        name: 'journey',
        passed: expected,
        failed: failed + outside,
        seconds: secondsSince(started),
      },
    ];
  } catch (error) {
    console.error(error);
    return [{ name: 'journey', passed: 0, failed: 1, seconds: secondsSince(started) }];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const secondsSince = (started) => Math.round((performance.now() - started) / 1000);

const { values, positionals } = parseArgs({
  options: { long: { type: 'boolean' } },
  allowPositionals: true,
});
if (values.long === true) process.env.LONG = '1';
// Runs every route on PostgreSQL, and on the embedded database only those whose answers depend on it.
else if (positionals.length === 0) process.env.ROUTES = 'of-engine';
const isWanted = (name) => positionals.length === 0 || positionals.includes(name);
const projects = positionals.filter((name) => name !== 'check' && name !== 'journey');

/** Suite, file and name of each failed test, with its first error below. */
const failures = [];
const rows = [];
if (isWanted('check')) rows.push(...(await runChecks()));
const suites = [];
if (positionals.length === 0 || projects.length > 0) suites.push((own) => runVitest(projects, own));
if (isWanted('journey')) suites.push(runJourneys);
// One worker more than there are cores. Beside the journeys, which take longer, as many as cores.
const cores = availableParallelism();
const rowsOfSuites = await Promise.all(
  suites.map((run) => run(run === runJourneys || suites.length === 1 ? cores + 1 : cores)),
);
rows.push(...rowsOfSuites.flat());

for (const failure of failures) console.log(`\nFAILED ${failure}`);
console.log('');
for (const row of rows) {
  const isEmpty = row.passed + row.failed === 0;
  if (isEmpty) row.failed = 1;
  const counts = `${String(row.passed).padStart(5)} passed ${String(row.failed).padStart(4)} failed`;
  const note = isEmpty ? ' (no test)' : '';
  console.log(`${row.name.padEnd(22)}${counts} ${String(row.seconds).padStart(5)} s${note}`);
}
const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
