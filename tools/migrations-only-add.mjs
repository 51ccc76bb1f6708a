// Since 0.2.0 a version also works on the schema of the next one (docs/migrations.md), so migrations may only
// add. `npm run topology -- upgrade` shows what these patterns miss.

/** The newest migration of 0.2.0, the oldest version that must still work. */
const OF_0_2_0 = 9;

/** The migrations to check, in their order. */
function since(paths) {
  const numbered = paths.flatMap((path) => {
    const [, number] = /^apps\/service\/migrations\/(\d{4})_\w+\.sql$/.exec(path) ?? [];
    return Number(number) > OF_0_2_0 ? [{ number: Number(number), path }] : [];
  });
  return numbered.sort((one, other) => one.number - other.number).map(({ path }) => path);
}

/** The statements without comments and quoted text, such as a column's default or a function's body. */
function statementsOf(text) {
  return text
    .replaceAll(/--.*$/gm, '')
    .replaceAll(/(\$\w*\$)[^]*?\1/g, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll('"', '')
    .split(';')
    .map((each) => each.replaceAll(/\s+/g, ' ').trim())
    .filter((each) => each !== '');
}

const TABLE = String.raw`(?:\w+\.)?(?<table>\w+)`;
const created = new RegExp(`^create table (?:if not exists )?${TABLE}`, 'i');
const uniqueIndex = new RegExp(
  `^create unique index (?:if not exists )?(?<name>\\w+) on (?:only )?${TABLE} (?<rest>.*)$`,
  'i',
);
const altered = new RegExp(`^alter table (?:if exists )?(?:only )?${TABLE} (?<rest>.*)$`, 'i');
const added = /^add column (?:if not exists )?(?<column>\w+) (?<rest>.*)$/i;
const dropped = /^drop (?<kind>constraint|trigger|index) (?:if exists )?(?<name>\w+)/i;
const constrained = /^add (?:constraint|check|unique|foreign|exclude|primary)\b/i;

/** A sentence for each statement that the version before could not work with. */
export function mistakesInMigrations(paths, read) {
  /** New since 0.2.0, which does not know them: tables, and columns as `table.column`. */
  const fresh = new Set();
  const namesFresh = (table, words) =>
    fresh.has(table) || words.match(/\w+/g)?.some((word) => fresh.has(`${table}.${word}`));
  return since(paths).flatMap((path) => {
    const statements = statementsOf(read(path));
    const comesBack = ({ kind, name }) =>
      statements.some((each) =>
        new RegExp(`\\b(add|create|create unique) ${kind} ${name}\\b`, 'i').test(each),
      );
    const isAddition = (statement) => {
      const table = created.exec(statement)?.groups.table;
      if (table !== undefined) return fresh.add(table);
      const unique = uniqueIndex.exec(statement)?.groups;
      if (unique)
        return (
          namesFresh(unique.table, unique.rest) ||
          statements.some((each) => new RegExp(`^drop index ${unique.name}$`, 'i').test(each))
        );
      const removed = dropped.exec(statement)?.groups;
      if (removed) return comesBack(removed);
      const change = altered.exec(statement)?.groups;
      if (!change)
        return /^(create|insert|update|select|with|comment|grant|set)\b/i.test(statement);
      if (fresh.has(change.table)) return true;
      const column = added.exec(change.rest)?.groups;
      if (column) {
        fresh.add(`${change.table}.${column.column}`);
        return !/\bnot null\b/i.test(column.rest) || /\bdefault\b/i.test(column.rest);
      }
      const gone = dropped.exec(change.rest)?.groups;
      if (gone) return comesBack(gone);
      if (!constrained.test(change.rest))
        return /^alter column \w+ set default\b/i.test(change.rest);
      const name = /^add constraint (\w+)/i.exec(change.rest)?.[1];
      return (
        namesFresh(change.table, change.rest) ||
        statements.some((each) => new RegExp(`\\bdrop constraint ${name}\\b`, 'i').test(each))
      );
    };
    return statements
      .filter((statement) => !isAddition(statement))
      .map(
        (statement) =>
          `${path}: 0.2.0 must serve on this schema, and a migration only adds: ${statement.slice(0, 100)}`,
      );
  });
}
