// Writes packages/domain/src/clinic-zone.generated.ts from the packed data of moment-timezone,
// which follows the IANA time zone database within days.
//
//   node tools/gen-clinic-zone.mjs               write the file
//   node tools/gen-clinic-zone.mjs --print       print what would be written
//   node tools/gen-clinic-zone.mjs --check-age   exit 1 when the table is not from the newest data
//   ... --from <file>                            read another packed file (tests)
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const ZONE = 'America/Vancouver';
const TARGET = new URL('../packages/domain/src/clinic-zone.generated.ts', import.meta.url);
/** The packed data ends in 2037; changes this late mean that the zone has recurring rules. */
const RECURRING_FROM = Date.UTC(2034, 0, 1) / 1000;

const fail = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

/** A number of the packed format: minutes in base 60, digits 0-9 a-z A-X, with an optional fraction. */
function unpackMinutes(text) {
  const digitsOf = (part) =>
    [...part].map((c) => '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX'.indexOf(c));
  const negative = text.startsWith('-');
  const [whole, fraction = ''] = text.replace('-', '').split('.');
  let minutes = digitsOf(whole).reduce((sum, digit) => sum * 60 + digit, 0);
  digitsOf(fraction).forEach((digit, i) => (minutes += digit / 60 ** (i + 1)));
  return negative ? -minutes : minutes;
}

/**
 * The changes of the UTC offset since 1970. Compares offsets and not names: since 2026b the data has a
 * transition on 2026-11-01 that renames the zone's time and moves no clock.
 */
function offsetChanges(packedZone) {
  const [name, , offsets, indices, untils] = packedZone.split('|');
  if (name !== ZONE) fail(`${ZONE} is not in the packed data under its own name.`);
  const minutesEast = offsets.split(' ').map((text) => -unpackMinutes(text));
  const eras = [...indices].map((index) => minutesEast[unpackMinutes(index)]);
  let clock = 0;
  const changes = [];
  let current = eras[0];
  let initial = current;
  untils.split(' ').forEach((step, i) => {
    clock += unpackMinutes(step);
    const next = eras[i + 1];
    if (next === undefined || next === current) return;
    current = next;
    if (clock < 0) initial = next;
    else changes.push({ at: Math.round(clock * 60), offset: next });
  });
  return { initial, changes };
}

function greatestCommonDivisor(a, b) {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function generate(packed) {
  const zone = packed.zones.find((text) => text.startsWith(`${ZONE}|`));
  if (!zone) fail(`The packed data has no ${ZONE}.`);
  const { initial, changes } = offsetChanges(zone);
  if (changes.some(({ at }) => at >= RECURRING_FROM))
    fail(
      `The data of ${packed.version} has recurring clock changes for ${ZONE} again. ` +
        'The table has no rules, only changes: clinic-time.ts needs a design for them first.',
    );
  if (changes.some(({ offset }) => !Number.isInteger(offset)))
    fail('An offset is no whole number of minutes; the table cannot hold it.');
  const offsets = [...new Set([initial, ...changes.map(({ offset }) => offset)])];
  const seconds = changes.map(({ at }, i) => at - (changes[i - 1]?.at ?? 0));
  const unit = seconds.reduce(greatestCommonDivisor, 0);
  const steps = seconds.map((step) => (step / unit).toString(36));
  const index = [initial, ...changes.map(({ offset }) => offset)]
    .map((offset) => offsets.indexOf(offset))
    .join('');
  return `// Written by tools/gen-clinic-zone.mjs from moment-timezone's packed data. Do not edit.
/** The IANA release that the table was made from. */
export const ZONE_DATA_VERSION = '${packed.version}';
/** The offsets that ${ZONE} has had since 1970, in minutes east of UTC. */
export const OFFSETS = [${offsets.join(', ')}];
/** Which offset holds before the first change and after each. */
export const OFFSET_INDEX =
  '${index}';
/** The unit of the steps, in seconds. */
export const STEP_SECONDS = ${unit};
/** From 1970-01-01T00:00Z to the first change and from each change to the next, in base 36. */
export const CHANGE_STEPS =
  '${steps.join(' ')}';
`;
}

const args = process.argv.slice(2);
const from = args.includes('--from')
  ? args[args.indexOf('--from') + 1]
  : createRequire(import.meta.url).resolve('moment-timezone/data/packed/latest.json');
const text = generate(JSON.parse(readFileSync(from, 'utf8')));

if (args.includes('--print')) process.stdout.write(text);
else if (args.includes('--check-age')) checkAge();
else writeFileSync(TARGET, text);

function checkAge() {
  if (readFileSync(TARGET, 'utf8') !== text)
    fail('The committed table is not what the installed data gives: run npm run gen:zone.');
  const installed = createRequire(import.meta.url)('moment-timezone/package.json').version;
  let newest;
  try {
    newest = execFileSync('npm', ['view', 'moment-timezone', 'version'], {
      encoding: 'utf8',
    }).trim();
  } catch {
    fail('The package registry did not answer, so the age of the zone data is not known.');
  }
  if (newest !== installed)
    fail(
      `moment-timezone ${newest} is out, ${installed} is installed: update it, run npm run gen:zone.`,
    );
  console.log(`The clinic's zone table is from the newest data (moment-timezone ${installed}).`);
}
