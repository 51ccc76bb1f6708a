// npm test: the checks, every suite of vitest.config.ts and the journeys in a browser. Prints a row
// for each suite with the seconds it waited and those of processor time, the failed tests by name and a
// closing line over all; a skipped test and an empty suite count as failed.
//
//   npm test -- race route   runs these suites alone
//   npm run test:long        runs the full numbers, and stores and routes on both databases
//   npm run test:changed     runs what differs from main can break; -- --list names it, -- --since=<commit>
// The last two note which files each test runs (tools/test-map.mjs).
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { startVitest } from 'vitest/node';

import { changedTests } from './changed-tests.mjs';
import { runInForeground } from './foreground.mjs';
import { filesOfRepository } from './import-graph.mjs';
import { environment, root } from './node-path.mjs';
import { ProcessorTime, workingFor } from './processor-time.mjs';
import { beginNotes } from './test-map.mjs';

/** Each folder with the compiler options that say what it may know of: DOM, Node, or neither. */
const projects =
  'apps apps/web apps/desk e2e tools packages/domain packages/domain/tsconfig.pure.json ' +
  'packages/contract packages/texts packages/ui packages/app packages/oscar';
/** Several checkers of a project check again what they share. What seems up to date may import what is not. */
const tsc = `node_modules/typescript/bin/tsc --build --force --checkers 1 ${projects}`;
const prettier =
  'node_modules/prettier/bin/prettier.cjs --check --log-level=warn --cache --cache-strategy=content .';

/** Name, script and arguments. The long ones come first, so that the two queues end together. */
const checks = [
  ['lint', 'node_modules/oxlint/bin/oxlint'],
  ['types', ...tsc.split(' ')],
  ['format', ...prettier.split(' ')],
  ['planted lint violations', 'tools/probe-boundaries.mjs'],
  ['planted type violations', 'tools/probe-types.mjs'],
  ['files', 'tools/check-files.mjs'],
  ['structure', 'tools/check-structure.mjs'],
  ['texts', 'tools/texts.mjs', 'check'],
  ['spec map', 'tools/check-spec-map.mjs'],
  ['configuration page', 'tools/gen-configuration.mjs'],
  ['tools', '--test', 'tools/*.test.mjs'],
];

/** In Go: each has one processor, as two checks run at a time, and looks for garbage less often. */
const compilers = { GOMAXPROCS: '1', GOGC: '400', GOMEMLIMIT: '2GiB' };

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
    const env = { ...environment(), ...compilers, ...workingFor('check') };
    const child = spawn(process.execPath, args, { cwd: root, env });
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

const hasRun = (suite, modules) => modules.some(({ project }) => project.name === suite);

function giveEachSuiteItsMark(vitest) {
  for (const { config, name } of vitest.projects)
    config.env = { ...config.env, ...workingFor(name) };
}

/** One row for each project. Its seconds are the sum over its files, several of which run at a time. */
async function runVitest(projects, workers) {
  const vitest = await startVitest('test', only?.filter((test) => !isJourney(test)) ?? [], {
    watch: false,
    project: projects,
    maxWorkers: workers,
    reporters: ['default', { onInit: giveEachSuiteItsMark }],
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
  const run = vitest.projects.filter(({ name }) => only === undefined || hasRun(name, modules));
  const rows = run.map((project) => {
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
  const files = only?.filter(isJourney) ?? [];
  const options = ['--config=e2e', '--reporter=list,json', `--workers=${workers}`];
  const args = [playwright, 'test', ...options, ...files];
  const env = {
    ...environment(),
    ...workingFor('journey'),
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  };
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

/** In a process of its own: what vitest sets for tests would change the names of the pieces of the built apps. */
function keepNotes(folder) {
  const env = { ...environment(), NODE_ENV: 'production' };
  spawnSync(process.execPath, ['tools/test-map.mjs', folder], { cwd: root, env, stdio: 'inherit' });
}

const secondsSince = (started) => Math.round((performance.now() - started) / 1000);

const { values, positionals } = parseArgs({
  options: {
    long: { type: 'boolean' },
    changed: { type: 'boolean' },
    list: { type: 'boolean' },
    since: { type: 'string' },
  },
  allowPositionals: true,
});
if (values.long === true) process.env.LONG = '1';
await import('./test-seed.ts');

/** The test files to run, where not all of them are. */
const only = values.changed === true ? testsToRun() : undefined;
const isJourney = (test) => test.startsWith('e2e/journeys/');

function testsToRun() {
  const { files, tests, all, unknown } = changedTests(values.since);
  console.log(
    `${files.length} files changed, ${tests.length} of ${all} test files to run; of ${unknown} the map does not know what they run`,
  );
  if (values.list !== true) return tests;
  for (const test of tests) console.log(test);
  process.exit();
}

function isWanted(name) {
  if (name !== 'check' && only?.some((test) => isJourney(test) === (name === 'journey')) === false)
    return false;
  return positionals.length === 0 || positionals.includes(name);
}
const suitesNamed = positionals.filter((name) => name !== 'check' && name !== 'journey');

const isNoting = values.changed === true || values.long === true;
if (isNoting) process.env.TEST_MAP = beginNotes(filesOfRepository());

/** Suite, file and name of each failed test, with its first error below. */
const failures = [];
const rows = [];
const processorTime = new ProcessorTime();
processorTime.start();
if (isWanted('check')) rows.push(...(await runChecks()));
const suites = [];
const isOfVitest = positionals.length === 0 || suitesNamed.length > 0;
if (isOfVitest && isWanted(suitesNamed[0])) suites.push((own) => runVitest(suitesNamed, own));
if (isWanted('journey')) suites.push(runJourneys);
// One worker more than there are cores. Beside the journeys, which take longer, as many as cores.
const cores = availableParallelism();
const rowsOfSuites = await Promise.all(
  suites.map((run) => run(run === runJourneys || suites.length === 1 ? cores + 1 : cores)),
);
rows.push(...rowsOfSuites.flat());

processorTime.stop();

for (const failure of failures) console.log(`\nFAILED ${failure}`);
console.log(`\n${''.padEnd(22)}${'waited'.padStart(36)}${'processor'.padStart(12)}`);
const inSeconds = (seconds) => (seconds === undefined ? '-' : `${seconds} s`);
for (const row of rows) {
  const isEmpty = row.passed + row.failed === 0;
  if (isEmpty) row.failed = 1;
  const counts = `${String(row.passed).padStart(5)} passed ${String(row.failed).padStart(4)} failed`;
  const note = isEmpty ? ' (no test)' : '';
  const waited = inSeconds(row.seconds).padStart(12);
  const used = inSeconds(processorTime.secondsOf(row.name)).padStart(12);
  console.log(`${row.name.padEnd(22)}${counts}${waited}${used}${note}`);
}
/** What no suite has for itself: vitest, which also transforms the sources, and the server of PostgreSQL. */
for (const name of ['vitest', 'PostgreSQL']) {
  const used = processorTime.secondsOf(name);
  if (used !== undefined) console.log(name.padEnd(58) + inSeconds(used).padStart(12));
}
console.log('all'.padEnd(58) + inSeconds(processorTime.seconds).padStart(12));
const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
if (isNoting) {
  // A test that failed may not have run all that it runs.
  if (sum('failed') === 0) keepNotes(process.env.TEST_MAP);
  rmSync(process.env.TEST_MAP, { recursive: true });
}
process.exitCode = sum('failed') === 0 && sum('passed') > 0 ? 0 : 1;
