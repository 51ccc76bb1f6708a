// npm test: every house in turn, each with its count and seconds, and a closing line over all.
// --only rule,route runs some houses; --long runs the full numbers of the property and load tests.
import { parseArgs } from 'node:util';

import { runChecks } from './checks.mjs';
import { runFaults } from './faults-run.mjs';
import { runJourneys } from './journeys-run.mjs';
import { runVitest } from './vitest-run.mjs';

const { values } = parseArgs({ options: { only: { type: 'string' }, long: { type: 'boolean' } } });

const long = values.long === true ? { LONG: '1' } : {};
const embedded = { ...long, TEST_DATABASE: 'embedded' };
const server = { ...long, TEST_DATABASE: 'postgres' };

const houses = [
  ['check', () => runChecks()],
  ['rule', () => runVitest('rule', long)],
  ['use-case', () => runVitest('use-case', embedded)],
  ['store', () => runVitest('store', embedded)],
  ['route', () => runVitest('route', embedded)],
  ['store on PostgreSQL', () => runVitest('store', server)],
  ['route on PostgreSQL', () => runVitest('route', server)],
  ['suite', () => runVitest('suite', server)],
  ['race', () => runVitest('race', server)],
  ['fault', () => runFaults(long)],
  ['house', () => runVitest('house', embedded)],
  ['component', () => runVitest('component', long)],
  ['journey', () => runJourneys(long)],
];

function chosen(only) {
  if (only === undefined) return houses;
  const names = only.split(',');
  const isChosen = ([house]) => names.includes(house) || names.includes(house.split(' ')[0]);
  const unknown = names.filter((name) => !houses.some(([house]) => house.split(' ')[0] === name));
  if (unknown.length > 0) {
    console.error(`No house is called ${unknown.join(', ')}.`);
    process.exit(1);
  }
  return houses.filter(isChosen);
}

let stopped = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => (stopped = true));

const rows = [];
for (const [name, run] of chosen(values.only)) {
  if (stopped) break;
  console.log(`\n== ${name}`);
  const started = performance.now();
  const { passed, failed } = await run();
  const seconds = Math.round((performance.now() - started) / 1000);
  const empty = passed + failed === 0;
  if (empty) console.log(`The ${name} house ran no test.`);
  rows.push({ name, passed, failed: failed + (empty ? 1 : 0), seconds });
}

console.log('');
for (const { name, passed, failed, seconds } of rows) {
  const counts = `${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed`;
  console.log(`${name.padEnd(22)}${counts} ${String(seconds).padStart(5)} s`);
}
const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = sum('failed') === 0 && !stopped ? 0 : 1;
