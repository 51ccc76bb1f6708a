// What application code must not use (docs/clinic-time.md, docs/architecture.md). Each ban has the line that
// tools/probe-boundaries.mjs plants to check that it is reported.

const localGetters = /^get(Hours|Date|Day|Month|FullYear|TimezoneOffset)$/;
const clinicTime = 'Clinic time comes from packages/domain/src/clinic-time.ts:';

const nameOf = (property) => property.name ?? property.value;

function textOf(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral') return node.quasis.at(-1).value.raw;
  return undefined;
}

function namesNoOffset(node) {
  const text = textOf(node);
  return text !== undefined && !/(Z|[+-]\d\d:?\d\d)$/.test(text);
}

const isDateCall = (node, method) =>
  node.callee.type === 'MemberExpression' &&
  node.callee.object.name === 'Date' &&
  nameOf(node.callee.property) === method;

/** `found` decides about a node of the kinds in `nodes`; rules are called `clinic/<name>`. */
export const bans = [
  {
    name: 'no-time-zone-option',
    message: `${clinicTime} no time zone is named anywhere else.`,
    planted: `export const planted = { timeZone: 'America/Vancouver' };`,
    nodes: ['Property'],
    found: (node) => nameOf(node.key) === 'timeZone',
  },
  {
    name: 'no-to-locale-string',
    message: `${clinicTime} toLocale…String answers in the zone and manner of the host.`,
    planted: `export const planted = new Date(0).toLocaleDateString();`,
    nodes: ['MemberExpression'],
    found: (node) => /^toLocale(Date|Time)?String$/.test(nameOf(node.property)),
  },
  {
    name: 'no-local-getters',
    message: `${clinicTime} local getters answer in the zone of the host.`,
    planted: `export const planted = new Date(0).getTimezoneOffset();`,
    nodes: ['MemberExpression'],
    found: (node) => localGetters.test(nameOf(node.property)),
  },
  {
    name: 'no-temporal',
    message: `${clinicTime} Temporal asks the runtime for its zone data.`,
    planted: `export const planted = Temporal.Now;`,
    nodes: ['Identifier'],
    found: (node) => node.name === 'Temporal',
  },
  {
    name: 'no-date-without-offset',
    message: `${clinicTime} a date text without Z is read in the zone of the host.`,
    planted: `export const planted = new Date('2026-11-21T09:00');`,
    nodes: ['NewExpression', 'CallExpression'],
    found: (node) =>
      ((node.type === 'NewExpression' && node.callee.name === 'Date') ||
        isDateCall(node, 'parse')) &&
      namesNoOffset(node.arguments[0]),
  },
  {
    name: 'no-sql-time-zone',
    message: `${clinicTime} SQL does no zone arithmetic.`,
    planted: `export const planted = "select now() at time zone 'UTC'";`,
    nodes: ['Literal', 'TemplateElement'],
    found: (node) =>
      /\bat\s+time\s+zone\b/i.test(node.type === 'Literal' ? node.value : node.value.raw),
  },
  {
    name: 'no-process-env',
    message: 'The environment is read in main files only and handed on as arguments.',
    planted: `export const planted = process.env;`,
    nodes: ['MemberExpression'],
    found: (node) => node.object.name === 'process' && nameOf(node.property) === 'env',
  },
  {
    name: 'no-clock',
    message: 'Now is an argument.',
    planted: `export const planted = Date.now();`,
    nodes: ['NewExpression', 'CallExpression'],
    found: (node) =>
      (node.callee.name === 'Date' && node.arguments.length === 0) || isDateCall(node, 'now'),
  },
  {
    name: 'no-chance',
    message: 'Randomness is an argument.',
    planted: `export const planted = Math.random();`,
    nodes: ['MemberExpression'],
    found: (node) => node.object.name === 'Math' && nameOf(node.property) === 'random',
  },
];

const ruleFor = ({ message, nodes, found }) => ({
  meta: { type: 'problem' },
  create: (context) =>
    Object.fromEntries(
      nodes.map((type) => [type, (node) => found(node) && context.report({ node, message })]),
    ),
});

export default {
  meta: { name: 'clinic' },
  rules: Object.fromEntries(bans.map((ban) => [ban.name, ruleFor(ban)])),
};
