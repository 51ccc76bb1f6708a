/**
 * Holds docs/spec-map.md to its word: every requirement, ruling, error text and security rule has
 * a row, every row names a test that exists (or `planned`), and every § or R-n or S-n that code
 * cites has a home in the documents.
 */
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const citingFolders = ['packages', 'apps', 'e2e', 'bench'];
const citingFiles = /\.(ts|tsx|mjs|js|css|sql|html)$/;
const foreign = new Set(['node_modules', 'dist', 'coverage', 'data', '.git']);

/** The cells of a Markdown table row; `\|` stands for a bar inside a cell. */
function cells(line) {
  if (!line.startsWith('|')) return [];
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
}

/** Rows of the map: id, requirement and the entries of the test column. */
export function readRows(map) {
  const rows = [];
  for (const line of map.split('\n')) {
    const [id, requirement, tests, ...rest] = cells(line);
    const named = /^`([^`]+)`$/.exec(id ?? '');
    if (!named) continue;
    const entries = (tests ?? '').split(/<br\s*\/?>/).map((entry) => entry.trim());
    rows.push({ id: named[1], requirement, entries, extra: rest.length });
  }
  return rows;
}

function slug(call) {
  return call
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Every id that needs a row: requirements, rulings, the table of error texts, security rules. */
export function idsInDocuments({ requirements, rulings, security }) {
  const requirementIds = [...requirements.matchAll(/^(?:- |\| )`(\d\.[a-z0-9.-]+)`/gm)];
  const rulingIds = [...rulings.matchAll(/^- (R-\d+) /gm)];
  const securityIds = [...security.matchAll(/^\| (S-\d+) /gm)];
  const texts = rulings.slice(Math.max(0, rulings.indexOf('## When each error text')));
  const textIds = texts
    .split('\n')
    .map(cells)
    .filter((row) => row.length === 3 && row[0] !== 'text' && !/^-+$/.test(row[0]))
    .map((row) => `text.${slug(row[1])}`);
  return [
    ...[...requirementIds, ...rulingIds, ...securityIds].map((match) => match[1]),
    ...textIds,
  ];
}

/** A title counts when the whole of it stands between quotes, as it does in `it('…')`. */
function hasTitle(source, title) {
  const plain = source.replace(/\\(['"`])/g, '$1');
  return ["'", '"', '`'].some((quote) => plain.includes(quote + title + quote));
}

function problemsOfEntry(entry, readTest) {
  if (entry === 'planned') return [];
  const [file, ...titles] = entry.split(' › ');
  if (!file || titles.length === 0) return [`'${entry}' is not 'path › title'`];
  const source = readTest(file);
  if (source === undefined) return [`${file} does not exist`];
  return titles
    .filter((title) => !hasTitle(source, title))
    .map((title) => `${file} has no test titled '${title}'`);
}

function problemsOfRows(rows, wanted, readTest) {
  const problems = [];
  const seen = new Set();
  for (const row of rows) {
    if (seen.has(row.id)) problems.push(`${row.id}: stands twice`);
    seen.add(row.id);
    if (!wanted.has(row.id)) problems.push(`${row.id}: no document states it`);
    if (row.extra > 0) problems.push(`${row.id}: has more than three columns`);
    if (row.entries.every((entry) => entry === '')) problems.push(`${row.id}: names no test`);
    else
      for (const entry of row.entries)
        problems.push(...problemsOfEntry(entry, readTest).map((text) => `${row.id}: ${text}`));
  }
  for (const id of wanted) if (!seen.has(id)) problems.push(`${id}: has no row`);
  return problems;
}

/** Citations without a home, each as `file:line: what`. */
function problemsOfCitations(sources, requirements, ids) {
  const sections = new Set([...requirements.matchAll(/^## §(\d+)/gm)].map((match) => match[1]));
  const problems = [];
  for (const { file, text } of sources) {
    for (const [index, line] of text.split('\n').entries()) {
      const at = `${file}:${index + 1}`;
      for (const [cited, number] of line.matchAll(/§\s?(\d+)/g))
        if (!sections.has(number)) problems.push(`${at}: ${cited} has no home in requirements.md`);
      for (const [cited] of line.matchAll(/\bR-\d+\b/g))
        if (!ids.has(cited)) problems.push(`${at}: ${cited} has no home in rulings.md`);
      for (const [cited] of line.matchAll(/\bS-\d+\b/g))
        if (!ids.has(cited)) problems.push(`${at}: ${cited} has no home in security.md`);
    }
  }
  return problems;
}

/**
 * @param {{ map: string, requirements: string, rulings: string, security: string,
 *   sources: { file: string, text: string }[], readTest: (file: string) => string | undefined }} facts
 */
export function checkSpecMap({ map, requirements, rulings, security, sources, readTest }) {
  const rows = readRows(map);
  const listed = idsInDocuments({ requirements, rulings, security });
  const ids = new Set(listed);
  const repeated = listed.filter((id, index) => listed.indexOf(id) !== index);
  const planned = rows.filter((row) => row.entries.includes('planned')).length;
  return {
    rows: rows.length,
    planned,
    shown: rows.length - planned,
    problems: [
      ...repeated.map((id) => `${id}: a document states it twice`),
      ...problemsOfRows(rows, ids, readTest),
      ...problemsOfCitations(sources, requirements, ids),
    ],
  };
}

function sourcesUnder(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return foreign.has(entry.name) ? [] : sourcesUnder(root, path);
    if (!entry.isFile() || !citingFiles.test(entry.name)) return [];
    return [{ file: path, text: readFileSync(join(root, path), 'utf8') }];
  });
}

function main() {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const read = (path) => readFileSync(join(root, path), 'utf8');
  const readTest = (file) => {
    const path = join(root, file);
    const outside = relative(root, path).startsWith('..');
    return !outside && existsSync(path) && statSync(path).isFile() ? read(file) : undefined;
  };
  const result = checkSpecMap({
    map: read('docs/spec-map.md'),
    requirements: read('docs/requirements.md'),
    rulings: read('docs/rulings.md'),
    security: read('docs/security.md'),
    sources: citingFolders.flatMap((folder) => sourcesUnder(root, folder)),
    readTest,
  });
  for (const problem of result.problems) console.error(`spec-map: ${problem}`);
  console.log(`${result.rows} rows, ${result.shown} shown by tests, ${result.planned} planned`);
  process.exitCode = result.problems.length > 0 ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
