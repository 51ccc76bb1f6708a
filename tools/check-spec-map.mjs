// docs/spec-map.md: every requirement, ruling, error text and security rule, and the tests that show
// it. A test says what it shows in a comment above it: `// Shows: R-30, 4.slot-search.1`.
//
//   node tools/check-spec-map.mjs           fails when the map is stale, or a statement has no test
//   node tools/check-spec-map.mjs --write   writes the map
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';

import { root } from './node-path.mjs';

const citingFolders = ['packages', 'apps', 'e2e', 'bench'];
const citingFiles = /\.(ts|tsx|mjs|js|css|sql|html)$/;
const foreign = new Set(['node_modules', 'dist', 'coverage', 'data']);
const statementLength = 160;

/** The cells of a Markdown table row; `\|` is a bar inside a cell. */
function cells(line) {
  if (!line.startsWith('|')) return [];
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}

const slug = (call) =>
  call
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** The statements of the documents, by heading of the map: { heading, rows: { id, says } }. */
export function statementsIn({ requirements, rulings, security }) {
  const inTable = (line) => {
    const [id, ...says] = cells(line);
    return { id: id?.replaceAll('`', ''), says: says.filter((cell) => cell !== '').join(': ') };
  };
  const sections = requirements
    .split(/^## /m)
    .filter((section) => section.startsWith('§'))
    .map((section) => {
      const [heading, ...lines] = section.split('\n');
      const rows = lines.flatMap((line) => {
        const [, id, says] = /^- `(\d\.[a-z0-9.-]+)` (.*)/.exec(line) ?? [];
        if (id !== undefined) return [{ id, says }];
        return /^\| `\d\.[a-z0-9.-]+`/.test(line) ? [inTable(line)] : [];
      });
      return { heading, rows };
    });
  const start = rulings.indexOf('## When each error text');
  const texts = (start < 0 ? '' : rulings.slice(start))
    .split('\n')
    .map(cells)
    .filter((row) => row.length === 3 && row[0] !== 'text' && !/^-+$/.test(row[0]))
    .map(([text, call]) => ({ id: `text.${slug(call)}`, says: text }));
  return [
    ...sections,
    {
      heading: 'Rulings',
      rows: [...rulings.matchAll(/^- (R-\d+) (.*)/gm)].map(([, id, says]) => ({ id, says })),
    },
    { heading: 'When each error text shows', rows: texts },
    {
      heading: 'Security',
      rows: security
        .split('\n')
        .filter((line) => /^\| S-\d+ /.test(line))
        .map(inTable),
    },
  ];
}

const isText = ({ type, value }) =>
  type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string');

/** The first node after a place that `wanted` accepts; when several begin there, the outermost. */
function firstAfter(place, node, wanted) {
  if (Array.isArray(node) || (typeof node?.type === 'string' && node.end > place)) {
    if (node.start >= place && wanted(node)) return node;
    let first;
    for (const child of Object.values(node)) {
      if (typeof child !== 'object' || child === null) continue;
      const found = firstAfter(place, child, wanted);
      if (found !== undefined && (first === undefined || found.start < first.start)) first = found;
    }
    return first;
  }
  return undefined;
}

/**
 * What the tests of a file show: { ids, title }. The title is the first argument of the call under the
 * comment, or the first text of a table row under it; undefined when there is none.
 */
export function tagsIn(file, text) {
  if (!text.includes('// Shows: ')) return [];
  const { program, comments } = parseSync(file, text, {});
  const titleAfter = (place) => {
    const node = firstAfter(place, program.body, () => true);
    const call = node?.type === 'ExpressionStatement' ? node.expression.arguments?.[0] : undefined;
    const title = call ?? firstAfter(place, program.body, isText);
    if (title === undefined || !isText(title)) return undefined;
    return title.value ?? text.slice(title.start + 1, title.end - 1);
  };
  return comments.flatMap(({ value, end }, at) => {
    if (!value.startsWith(' Shows: ')) return [];
    let ids = value.slice(' Shows: '.length).trim();
    let last = end;
    // A list that ends with a comma continues on the next line.
    for (let next = at + 1; ids.endsWith(',') && comments[next] !== undefined; next += 1) {
      ids += comments[next].value.trimEnd();
      last = comments[next].end;
    }
    return [{ ids: ids.split(/,\s*/), title: titleAfter(last) }];
  });
}

function shortened(says) {
  if (says.length <= statementLength) return says;
  const cut = says.slice(0, statementLength);
  return `${cut.slice(0, cut.lastIndexOf(' '))} …`;
}

/** The text of the map, and the problems of tags and citations. */
export function specMap({ documents, sources }) {
  const sections = statementsIn(documents);
  const ids = sections.flatMap(({ rows }) => rows.map(({ id }) => id));
  const tests = new Map(ids.map((id) => [id, []]));
  const problems = ids
    .filter((id, index) => ids.indexOf(id) !== index)
    .map((id) => `${id}: a document states it twice`);
  for (const { file, text } of sources)
    for (const { ids: shown, title } of tagsIn(file, text)) {
      if (title === undefined) problems.push(`${file}: no test stands under a tag`);
      for (const id of shown) {
        const name = `${file} › ${(title ?? '').replaceAll('|', '\\|')}`;
        if (tests.has(id)) tests.get(id).push(name);
        else problems.push(`${file}: shows ${id}, which no document states`);
      }
    }
  for (const [id, shownBy] of tests)
    if (shownBy.length === 0) problems.push(`${id}: no test shows it`);
  problems.push(...problemsOfCitations(sources, documents.requirements, tests));
  const row = ({ id, says }) => {
    const shownBy = tests.get(id).join('<br>');
    return `| \`${id}\` | ${shortened(says).replace(/(?<!\\)\|/g, '\\|')} | ${shownBy} |`;
  };
  const tables = sections.map(({ heading, rows }) =>
    [`## ${heading}`, '', '| id | statement | tests |', '|---|---|---|', ...rows.map(row), ''].join(
      '\n',
    ),
  );
  const count = ids.filter((id) => tests.get(id).length > 0).length;
  const map = `# Spec map

Written by \`npm run gen:spec-map\` from the tests. Every requirement ([requirements.md](requirements.md)), ruling ([rulings.md](rulings.md)) and security rule ([security.md](security.md)) with the tests that show it: a test names what it shows in a comment above it, \`// Shows: R-30, 4.slot-search.1\`. The full statement stands in the document.

<!-- prettier-ignore-start -->

${tables.join('\n')}
<!-- prettier-ignore-end -->
`;
  return { map, problems, statements: ids.length, shown: count };
}

/** Citations of what no document has, each as `file:line: what`. */
function problemsOfCitations(sources, requirements, ids) {
  const sections = new Set([...requirements.matchAll(/^## §(\d+)/gm)].map((match) => match[1]));
  const problems = [];
  for (const { file, text } of sources) {
    for (const [index, line] of text.split('\n').entries()) {
      const at = `${file}:${index + 1}`;
      for (const [cited, number] of line.matchAll(/§\s?(\d+)/g))
        if (!sections.has(number)) problems.push(`${at}: ${cited} has no home in requirements.md`);
      for (const [cited] of line.matchAll(/\b[RS]-\d+\b/g))
        if (!ids.has(cited)) problems.push(`${at}: no document states ${cited}`);
    }
  }
  return problems;
}

function sourcesUnder(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return foreign.has(entry.name) ? [] : sourcesUnder(path);
      if (!entry.isFile() || !citingFiles.test(entry.name)) return [];
      return [{ file: path, text: readFileSync(join(root, path), 'utf8') }];
    });
}

if (process.argv[1] === import.meta.filename) {
  const path = join(root, 'docs/spec-map.md');
  const read = (name) => readFileSync(join(root, `docs/${name}.md`), 'utf8');
  const documents = {
    requirements: read('requirements'),
    rulings: read('rulings'),
    security: read('security'),
  };
  const sources = citingFolders.flatMap(sourcesUnder);
  const { map, problems, statements, shown } = specMap({ documents, sources });
  if (process.argv.includes('--write')) writeFileSync(path, map);
  else if (!existsSync(path) || readFileSync(path, 'utf8') !== map)
    problems.push('docs/spec-map.md is stale: run npm run gen:spec-map');
  for (const problem of problems) console.error(problem);
  console.log(`${statements} statements, ${shown} shown by tests`);
  if (problems.length > 0) process.exitCode = 1;
}
