// Which files a test ran a function of. `npm run test:changed` reads it, and notes it anew of the tests that it runs,
// as `npm run test:long` does of all. It is kept in node_modules/.cache.
import { hash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { root } from './node-path.mjs';

const place = join(root, 'node_modules/.cache/test-map.json');

/** A test that was not noted for so long is as one that the map never knew. */
const DAYS_KEPT = 7;

const kept = () => (existsSync(place) ? JSON.parse(readFileSync(place, 'utf8')) : {});
const isKept = (at, now) => now - Date.parse(at) < DAYS_KEPT * 86_400_000;

/** By test file: the files that it ran, and which files have changed since, or are new. `hashes` are those of now. */
export function readTestMap(hashes, { runs = {}, tests = {} } = kept(), now = Date.now()) {
  const changedSince = Object.fromEntries(
    Object.entries(runs).map(([at, then]) => [
      at,
      Object.keys(hashes).filter((path) => hashes[path] !== then[path]),
    ]),
  );
  return Object.fromEntries(
    Object.entries(tests)
      .filter(([, { at }]) => isKept(at, now))
      .map(([test, { at, files }]) => [test, { files, since: changedSince[at] }]),
  );
}

/** By path, a hash of what stands in a module. */
export const hashesOf = (paths) =>
  Object.fromEntries(
    paths
      .filter((path) => /\.(ts|tsx|mjs|cjs)$/.test(path))
      .map((path) => [path, hash('sha1', readFileSync(join(root, path))).slice(0, 12)]),
  );

/** A folder for the notes of a run, which begins. */
export function beginNotes(paths) {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-test-map-'));
  const run = { at: new Date().toISOString(), hashes: hashesOf(paths) };
  writeFileSync(join(folder, 'run.json'), JSON.stringify(run));
  return folder;
}

const inRepository = (path) => relative(root, path).replaceAll('\\', '/');
const isOurs = (path) => !/^\.\.|^node:|\0|node_modules/.test(path);
const noteFile = (folder) => join(folder, 'notes.jsonl');

/**
 * While a map is made: the functions that a test ran, by file; or the pieces of the built apps that its pages
 * loaded; or the folder in which its processes note what they run.
 */
export function note(folder, test, what) {
  appendFileSync(noteFile(folder), `${JSON.stringify({ test: inRepository(test), ...what })}\n`);
}

/** By file, where the functions begin of which V8 counted a call. */
export function functionsRun(scripts) {
  return Object.fromEntries(
    scripts
      .map(({ url, functions }) => [
        inRepository(url.startsWith('file:') ? fileURLToPath(url) : url),
        called(functions),
      ])
      .filter(([path, functions]) => isOurs(path) && functions.length > 0),
  );
}

/** Not the script as a whole, nor the wrapper that vitest puts round it: these run when it is imported. */
function called(functions) {
  const length = Math.max(...functions.map(({ ranges }) => ranges[0].endOffset));
  return functions
    .filter(({ functionName, ranges: [{ startOffset, endOffset, count }] }) => {
      const isWhole = functionName === '' && endOffset - startOffset > 0.9 * length;
      return count > 0 && !isWhole;
    })
    .map(({ ranges }) => ranges[0].startOffset);
}

/** Whoever runs anything of it has started the service. */
const startOfService = 'apps/service/src/app.ts';

/**
 * The files that each test runs, from what was noted. What nine tenths of the tests run that start the service, if
 * these are many, is how it starts, and shows nothing: a test counts that runs anything else of a file.
 */
export function filesByTest(notes) {
  const testsOf = new Map();
  const starts = new Set();
  for (const { test, functions } of notes)
    for (const [path, begins] of Object.entries(functions)) {
      if (path === startOfService) starts.add(test);
      const own = testsOf.get(path) ?? new Map();
      testsOf.set(path, own);
      for (const begin of begins) own.set(begin, (own.get(begin) ?? new Set()).add(test));
    }
  const isOfStart = (tests) =>
    starts.size >= 20 && tests.intersection(starts).size > 0.9 * starts.size;
  const byTest = new Map(notes.map(({ test }) => [test, new Set()]));
  for (const [path, own] of testsOf) {
    const all = [...own.values()];
    const telling = all.filter((tests) => !isOfStart(tests));
    for (const tests of telling.length > 0 ? telling : all)
      for (const test of tests) byTest.get(test).add(path);
  }
  return byTest;
}

/** Adds what was noted to the map: of tests that did not run it keeps what was known. */
async function keepTestMap(folder) {
  if (!existsSync(noteFile(folder))) return;
  const lines = readFileSync(noteFile(folder), 'utf8').trim().split('\n');
  const notes = await Promise.all(lines.map((line) => JSON.parse(line)).map(functionsOf));
  const isJourney = ({ test }) => test.startsWith('e2e/journeys/');
  const { at, hashes } = JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8'));
  const { runs = {}, tests = {} } = kept();
  // Functions of a bundle and of a source begin at different places.
  for (const kind of [notes.filter(isJourney), notes.filter((each) => !isJourney(each))])
    for (const [test, files] of filesByTest(kind)) tests[test] = { at, files: [...files] };
  for (const [test, { at: noted }] of Object.entries(tests))
    if (!isKept(noted, Date.now()) || !existsSync(join(root, test))) delete tests[test];
  const used = new Set(Object.values(tests).map((test) => test.at));
  const stay = Object.entries({ ...runs, [at]: hashes }).filter(([run]) => used.has(run));
  writeFileSync(place, JSON.stringify({ runs: Object.fromEntries(stay), tests }));
}

async function functionsOf({ test, functions = {}, piece, processes }) {
  if (piece !== undefined) {
    const sources = (await pieces()).get(piece);
    if (sources === undefined) throw new Error(`No piece of the built apps is named ${piece}`);
    return { test, functions: Object.fromEntries(sources.map((path) => [path, [piece]])) };
  }
  return { test, functions: processes === undefined ? functions : functionsOfBundles(processes) };
}

const bundles = new Map();

/** By source, the functions that bundled programs ran, from a folder that NODE_V8_COVERAGE named. */
function functionsOfBundles(folder) {
  const functions = {};
  for (const name of existsSync(folder) ? readdirSync(folder) : []) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    for (const script of result) {
      const path = script.url.startsWith('file:') ? fileURLToPath(script.url) : '';
      if (!existsSync(`${path}.map`)) continue;
      const sourceAt = bundleAt(path);
      for (const begin of called(script.functions)) {
        const source = sourceAt(begin);
        if (source && isOurs(source))
          (functions[source] ??= []).push(`${inRepository(path)} ${begin}`);
      }
    }
  }
  return functions;
}

function bundleAt(path) {
  if (!bundles.has(path)) {
    const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
    const starts = [0];
    for (const { index } of readFileSync(path, 'utf8').matchAll(/\n/g)) starts.push(index + 1);
    const known = new Map();
    bundles.set(path, (offset) => {
      if (!known.has(offset)) {
        const line = lineOf(starts, offset);
        const { originalSource } = map.findEntry(line, offset - starts[line]);
        known.set(offset, originalSource && inRepository(resolve(dirname(path), originalSource)));
      }
      return known.get(offset);
    });
  }
  return bundles.get(path);
}

/** The last line that starts at or before an offset. */
function lineOf(starts, offset) {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (starts[middle] <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

let piecesOfApps;

/** The sources of each piece of the built apps, by the name under which pages load it. */
function pieces() {
  piecesOfApps ??= Promise.all(['apps/web', 'apps/desk'].map(piecesOf)).then(
    (each) => new Map(each.flat()),
  );
  return piecesOfApps;
}

async function piecesOf(folder) {
  const { build } = await import('vite');
  const { output } = await build({
    root: join(root, folder),
    logLevel: 'silent',
    build: { write: false },
  });
  return output
    .filter(({ type }) => type === 'chunk')
    .map(({ fileName, moduleIds }) => [
      fileName,
      moduleIds.map((id) => inRepository(id.replace(/\?.*/, ''))).filter(isOurs),
    ]);
}

// A process of its own: what vitest sets for tests would change the names of the pieces.
if (process.argv[1] === fileURLToPath(import.meta.url)) await keepTestMap(process.argv[2]);
