// Rules of docs/architecture.md that need more than one file, or words, to see:
//
//   table  a table is named by its owner alone: the folder whose schema.ts has it
//   sql    SQL stands in stores
//   style  a store has drizzle's builder or tagged statements, not both
//   port   a method of a port has a caller in the product
//   order  a module imports only those before it
//   emr    of appointments ports.ts alone names what an EMR is
//   circle no files import each other in a circle; the import of a type counts
//   upward a file imports only from its own layer and those below it
//   size   a folder of a module has at most 16 files
//   long   a file of a workspace's src has at most 400 lines; texts of the apps count as data
//   state  the columns of an appointment's state are named by one store
//   copy   the copy of what is paid, `paid_cents`, is named by that store alone: no other statement reads it
//   word   identifiers and comments say the field's words, not those of the left column below
//
// Each exception stands in tools/structure-exceptions.mjs with its reason.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'rolldown/utils';

import { root } from './node-path.mjs';
import { exceptions, senses } from './structure-exceptions.mjs';

const isTest = /\.(test|spec|suite)\.|(^|\/)(testing|tests)\/|^e2e\//;
const isSource = /^(packages|apps)\/.*\.(ts|tsx)$/;
const isGenerated = /\.generated\.ts$|\.d\.ts$/;
const inService = /^apps\/(service|practice|cli)\/(src|tools)\//;
const isSchema = /\/schema(-[a-z]+)?\.ts$/;
const isStore = /(^|\/)([a-z-]+\.)?store\.ts$/;
const statement =
  /^\s*(select\b[\s\S]*\bfrom\b|select\s+[\w.]+\(|insert\s+into\b|update\s+[\s\S]*\bset\b|delete\s+from\b|with\s+(recursive\s+)?\w+(\s*\([^)]*\))?\s+as\b|truncate\b)/i;

/** Yields { node, parent } for every node of a file's syntax, in no order. */
function* nodesOf(node, parent) {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const each of node) yield* nodesOf(each, parent);
    return;
  }
  if (typeof node.type === 'string') yield { node, parent };
  for (const child of Object.values(node)) yield* nodesOf(child, node);
}

const folderOf = (path) => path.slice(0, path.lastIndexOf('/'));

/** The owner of a file, such as `modules/payments`: the folder that owns the tables in its schema.ts. */
const ownerOf = (path) =>
  /^apps\/\w+\/src\/(modules\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? folderOf(path);

function textsOf({ nodes }) {
  return nodes.flatMap(({ node }) => {
    if (node.type === 'Literal' && typeof node.value === 'string')
      return [{ text: node.value, at: node.start }];
    if (node.type === 'TemplateElement') return [{ text: node.value.raw, at: node.start }];
    return [];
  });
}

/** The owner of each table, by the table's name in SQL and by the name of its constant. */
function tablesIn(files) {
  const bySql = new Map();
  const byName = new Map();
  for (const { path, nodes } of files.filter((file) => isSchema.test(file.path)))
    for (const { node } of nodes) {
      const call = node.type === 'VariableDeclarator' ? node.init : null;
      if (call?.type !== 'CallExpression' || call.callee.name !== 'pgTable') continue;
      bySql.set(call.arguments[0].value, ownerOf(path));
      byName.set(node.id.name, ownerOf(path));
    }
  return { bySql, byName };
}

function tableViolations(files) {
  const { bySql, byName } = tablesIn(files);
  return files
    .filter(({ path }) => inService.test(path) && !isSchema.test(path))
    .flatMap((file) => {
      const own = ownerOf(file.path);
      const imports = file.nodes.flatMap(({ node, parent }) => {
        const from = parent?.source?.value;
        const isNamed = node.type === 'ImportSpecifier' || node.type === 'ExportSpecifier';
        if (!isNamed || typeof from !== 'string' || !isSchema.test(from)) return [];
        const name = (node.imported ?? node.local).name;
        const owner = byName.get(name);
        const leaves = node.type === 'ExportSpecifier';
        return owner !== undefined && (owner !== own || leaves)
          ? [{ at: node.start, says: `${name} is a table of ${owner}` }]
          : [];
      });
      const named = textsOf(file).flatMap(({ text, at }) =>
        [...text.matchAll(/\b(?:from|join|into|update|table|lock)\s+(?:only\s+)?"?(\w+)"?/gi)]
          .map(([, table]) => table)
          .filter((table) => bySql.has(table) && bySql.get(table) !== own)
          .map((table) => ({ at, says: `${table} is a table of ${bySql.get(table)}` })),
      );
      return [...imports, ...named].map((each) => ({ rule: 'table', file, ...each }));
    });
}

/** The query that a call of drizzle's builder begins, such as `tx.select(…)`; null for any other node. */
function builtQuery({ type, callee }) {
  if (type !== 'CallExpression' || callee.type !== 'MemberExpression') return null;
  const { object, property } = callee;
  const on = object.name ?? object.property?.name;
  const isQuery = /^(select|selectDistinct|insert|update|delete|execute|\$count)$/.test(
    property.name,
  );
  return isQuery && /^(db|tx|on|database)$/.test(on ?? '') ? `${on}.${property.name}(…)` : null;
}

function styleViolations(files) {
  return files
    .filter(({ path }) => inService.test(path) && isStore.test(path))
    .flatMap((file) => {
      // A statement is sql(db)`…`; a bare sql`…` is a part of a built one.
      const isTagged = file.nodes.some(
        ({ node }) =>
          node.type === 'TaggedTemplateExpression' &&
          node.tag.type === 'CallExpression' &&
          node.tag.callee.name === 'sql',
      );
      return file.nodes.flatMap(({ node }) => {
        const query = isTagged ? builtQuery(node) : null;
        return query === null
          ? []
          : [{ rule: 'style', file, at: node.start, says: `${query} beside tagged statements` }];
      });
    });
}

function sqlViolations(files) {
  return files
    .filter(({ path }) => inService.test(path) && !isStore.test(path) && !isSchema.test(path))
    .flatMap((file) => {
      const statements = textsOf(file)
        .filter(({ text }) => statement.test(text))
        .map(({ at }) => ({ at, says: 'a statement outside a store' }));
      const built = file.nodes.flatMap(({ node }) => {
        const query = builtQuery(node);
        return query === null ? [] : [{ at: node.start, says: `${query} outside a store` }];
      });
      return [...statements, ...built].map((each) => ({ rule: 'sql', file, ...each }));
    });
}

/** A port is an interface that an adapter imports from the module that needs it. */
function portViolations(files) {
  const isAdapter = (path) => path.startsWith('apps/service/src/adapters/');
  const needed = new Set(
    files
      .filter(({ path }) => isAdapter(path))
      .flatMap(({ nodes }) =>
        nodes
          .filter(({ node }) => node.type === 'ImportSpecifier')
          .map(({ node }) => node.imported.name),
      ),
  );
  const called = (name) =>
    files.some(
      ({ path, nodes }) =>
        !isAdapter(path) &&
        inService.test(path) &&
        nodes.some(
          ({ node, parent }) =>
            (node.type === 'MemberExpression' && node.property.name === name) ||
            (node.type === 'Property' &&
              parent?.type === 'ObjectPattern' &&
              node.key.name === name),
        ),
    );
  return files
    .filter(({ path }) => inService.test(path) && !isAdapter(path))
    .flatMap((file) =>
      file.nodes
        .filter(({ node }) => node.type === 'TSInterfaceDeclaration' && needed.has(node.id.name))
        .flatMap(({ node: { id, body } }) =>
          body.body
            .filter(
              ({ type, typeAnnotation }) =>
                type === 'TSMethodSignature' ||
                typeAnnotation?.typeAnnotation?.type === 'TSFunctionType',
            )
            .filter(({ key }) => !called(key.name))
            .map(({ key, start }) => ({
              rule: 'port',
              file,
              at: start,
              says: `nobody calls ${id.name}.${key.name}`,
            })),
        ),
    );
}

/** The modules in reading order: each may import only those before it. */
const moduleOrder = [
  'records',
  'pharmacies',
  'documents',
  'schedule',
  'appointments',
  'emr',
  'closings',
  'accounts',
  'patients',
  'payments',
  'messages',
  'immigration',
  'feedback',
  'operations',
  'staff',
  'desk',
  'privacy',
];
const moduleOf = (path) => /^apps\/service\/src\/modules\/([^/]+)\//.exec(path)?.[1];

function orderViolations(files) {
  return files.flatMap((file) => {
    const own = moduleOf(file.path);
    if (own === undefined) return [];
    return file.nodes.flatMap(({ node }) => {
      const from = node.source?.value;
      if (typeof from !== 'string' || !from.startsWith('.')) return [];
      const other = moduleOf(posix.join(folderOf(file.path), from));
      if (other === undefined || other === own) return [];
      const isBefore =
        moduleOrder.includes(other) && moduleOrder.indexOf(other) < moduleOrder.indexOf(own);
      return isBefore
        ? []
        : [{ rule: 'order', file, at: node.start, says: `${other} does not come before ${own}` }];
    });
  });
}

/** The file that an import leads to: in the same workspace by its path, in another by its package's name. */
function targetOf(path, from) {
  if (from.startsWith('.')) return posix.join(folderOf(path), from);
  const [, workspace, rest] = /^@clinic\/(service|practice|cli)\/(.+)/.exec(from) ?? [];
  return workspace === undefined ? undefined : `apps/${workspace}/src/${rest}`;
}

/** What each file imports, types and lazily loaded files included: { to, at }. */
const importsOf = ({ path, nodes }) =>
  nodes.flatMap(({ node }) => {
    const from = node.source?.value;
    const to = typeof from === 'string' ? targetOf(path, from) : undefined;
    return to === undefined ? [] : [{ to, at: node.start }];
  });

function circleViolations(files) {
  const byPath = new Map(files.map((file) => [file.path, { file, imports: importsOf(file) }]));
  const reaches = (from, path) => {
    const [seen, open] = [new Set(), [from]];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next === path) return true;
      if (seen.has(next)) continue;
      seen.add(next);
      open.push(...(byPath.get(next)?.imports.map(({ to }) => to) ?? []));
    }
    return false;
  };
  return [...byPath.values()].flatMap(({ file, imports }) =>
    imports
      .filter(({ to }) => byPath.has(to) && reaches(to, file.path))
      .map(({ to, at }) => ({ rule: 'circle', file, at, says: `${to} leads back here` })),
  );
}

/** The layers from the lowest to the highest. */
const layers = [
  /^packages\/domain\//,
  /^packages\/texts\//,
  /^packages\/contract\//,
  /^packages\/(?!app\/)/,
  /^packages\//,
  /^apps\/service\/src\/(database|security|server)\//,
  /^apps\/service\/src\/(modules\/|platform\.ts$)/,
  /^apps\/service\/src\/adapters\//,
  /^apps\/service\//,
  /^apps\/web\/src\/(api|messages|shared)\//,
  /^apps\/web\/src\/features\//,
  /^apps\//,
];
const layerOf = (path) => layers.findIndex((layer) => layer.test(path));

const upwardViolations = (files) =>
  files.flatMap((file) =>
    importsOf(file)
      .filter(({ to }) => layerOf(to) > layerOf(file.path))
      .map(({ to, at }) => ({ rule: 'upward', file, at, says: `${to} is of a higher layer` })),
  );

const appointmentsPorts = /\/modules\/appointments\/ports\.ts$/;

const emrViolations = (files) =>
  files
    .filter(({ path }) => moduleOf(path) === 'appointments' && !appointmentsPorts.test(path))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ to }) => moduleOf(to) === 'emr' || to.endsWith('/modules/records/emr.ts'))
        .map(({ to, at }) => ({ rule: 'emr', file, at, says: `${to} is for ports.ts alone` })),
    );

const MOST_FILES = 16;

function sizeViolations(files) {
  const inModules = files.filter(({ path }) => moduleOf(path) !== undefined);
  return [...Map.groupBy(inModules, ({ path }) => folderOf(path))]
    .filter(([, all]) => all.length > MOST_FILES)
    .map(([folder, all]) => ({
      rule: 'size',
      file: all[0],
      at: 0,
      says: `${folder} has ${all.length} files`,
    }));
}

const MOST_LINES = 400;
const isInSrc = /^(apps|packages)\/[^/]+\/src\/(?!messages\/|texts\/)/;

const longViolations = (files) =>
  files
    .filter(({ path }) => isInSrc.test(path))
    .map((file) => ({ file, lines: file.text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > MOST_LINES)
    .map(({ file, lines }) => ({ rule: 'long', file, at: 0, says: `it has ${lines} lines` }));

const stateStore = /\/appointments\/state-columns\.store\.ts$/;
const stateColumn = /(?<!\bas )\b(?:state|confirming|paying)\b|\bbooked_by is\b/;

/** The copy of 0.2.0 in every statement of the product: money is asked of its payments. */
const copyViolations = (files) =>
  files
    .filter(({ path }) => inService.test(path) && !stateStore.test(path) && !isSchema.test(path))
    .flatMap((file) => {
      const inSql = textsOf(file).filter(({ text }) => /\bpaid_cents\b/.test(text));
      const built = file.nodes
        .filter(
          ({ node: { object, property } }) =>
            object?.name === 'appointment' && property.name === 'paidCents',
        )
        .map(({ node }) => ({ at: node.start }));
      const says = 'paid_cents is read by nothing';
      return [...inSql, ...built].map(({ at }) => ({ rule: 'copy', file, at, says }));
    });

function stateViolations(files) {
  const owner = tablesIn(files).bySql.get('appointment');
  return files
    .filter(({ path }) => ownerOf(path) === owner && !stateStore.test(path) && !isSchema.test(path))
    .flatMap((file) =>
      file.nodes
        .filter(({ node }) => node.type === 'TaggedTemplateExpression')
        .flatMap(({ node }) => node.quasi.quasis)
        .filter(({ value }) => stateColumn.test(value.raw))
        .map(({ value, start }) => ({
          rule: 'state',
          file,
          at: start,
          says: `${stateColumn.exec(value.raw)[0]} is named in state-columns.store.ts alone`,
        })),
    );
}

const oldWords = {
  claim: 'appointment',
  visit: 'appointment',
  cell: 'step',
  letter: 'email',
  house: 'test suite',
  trouble: 'error',
  dress: 'the thing itself',
  wire: 'API',
};
const wordPattern = (word) => {
  const capital = `${word[0].toUpperCase()}${word.slice(1)}`;
  return new RegExp(`(?<![a-zA-Z])${word}s?(?![a-z])|${capital}s?(?![a-z])`);
};

function wordViolations(files) {
  return files.flatMap((file) => {
    const spoken = [
      ...file.comments.map(({ value, start }) => ({ text: value, at: start })),
      ...file.nodes
        .filter(({ node }) => node.type === 'Identifier' || node.type === 'JSXIdentifier')
        .map(({ node }) => ({ text: node.name, at: node.start })),
    ];
    return Object.entries(oldWords).flatMap(([word, field]) => {
      const pattern = wordPattern(word);
      return spoken
        .filter(({ text }) => {
          const rest = senses
            .filter((each) => each.word === word && (each.path?.test(file.path) ?? true))
            .reduce((left, { sense }) => left.replace(sense, ''), text);
          return pattern.test(rest);
        })
        .map(({ at, text }) => ({
          rule: 'word',
          file,
          at,
          says: `'${word}' is '${field}': ${text.trim().replace(/\s+/g, ' ').slice(0, 60)}`,
        }));
    });
  });
}

/** Every violation in the files: { rule, path, line, says }. */
export function violationsIn(sources) {
  const files = sources
    .filter(({ path }) => isSource.test(path) && !isTest.test(path) && !isGenerated.test(path))
    .map(({ path, text }) => {
      const { program, comments } = parseSync(path, text, {});
      return { path, text, comments, nodes: [...nodesOf(program.body)] };
    });
  const lineOf = ({ text }, at) => text.slice(0, at).split('\n').length;
  return [
    tableViolations,
    sqlViolations,
    styleViolations,
    portViolations,
    orderViolations,
    emrViolations,
    circleViolations,
    upwardViolations,
    sizeViolations,
    longViolations,
    stateViolations,
    copyViolations,
    wordViolations,
  ].flatMap((look) =>
    look(files).map(({ rule, file, at, says }) => ({
      rule,
      path: file.path,
      line: lineOf(file, at),
      says,
    })),
  );
}

if (process.argv[1] === import.meta.filename) {
  const { status, stdout, stderr } = spawnSync('git', ['ls-files', 'packages', 'apps'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`git ls-files failed: ${stderr}`);
  const sources = stdout
    .split('\n')
    .filter((path) => isSource.test(path) && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const all = violationsIn(sources);
  const excepts = (exception) => (each) =>
    exception.rule === each.rule && exception.path.test(each.path);
  const mistakes = [
    ...all
      .filter((each) => !exceptions.some((exception) => excepts(exception)(each)))
      .map(({ rule, path, line, says }) => `${path}:${line}: ${rule}: ${says}`),
    ...exceptions
      .filter((exception) => !all.some(excepts(exception)))
      .map(({ rule, path }) => `tools/structure-exceptions.mjs: ${rule} ${path} excepts nothing`),
  ];
  for (const mistake of mistakes) console.error(mistake);
  if (mistakes.length > 0) process.exitCode = 1;
  else console.log(`${sources.length} files keep the rules of structure`);
}
