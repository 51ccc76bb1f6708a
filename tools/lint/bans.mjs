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

const firstText = (node) =>
  node.type === 'TemplateLiteral' ? node.quasis[0].value.raw : textOf(node);

function namesNoOffset(node) {
  const text = textOf(node);
  return text !== undefined && !/(Z|[+-]\d\d:?\d\d)$/.test(text);
}

const isDateCall = (node, method) =>
  node.callee.type === 'MemberExpression' &&
  node.callee.object.name === 'Date' &&
  nameOf(node.callee.property) === method;

const isCallOf = (name) => (node) => node.callee.name === name;

/**
 * `found` decides about a node of the kinds in `nodes`; rules are called `clinic/<name>`. Those `ofApps` are for
 * the pages of the two apps.
 */
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
  {
    name: 'no-own-mutation',
    message:
      'A press is a useAction of the app: it says what is not known, and sends nothing twice.',
    planted: `export const planted = () => useMutation({});`,
    nodes: ['CallExpression'],
    found: isCallOf('useMutation'),
    ofApps: true,
  },
  {
    name: 'no-own-fetch',
    message:
      'A call goes through the service of the app, which knows the contract and the session.',
    planted: `export const planted = fetch('https://planted.example');`,
    nodes: ['CallExpression'],
    found: isCallOf('fetch'),
    ofApps: true,
  },
  {
    name: 'no-own-socket',
    message: 'Live events are heard by the one connection of the app.',
    planted: `export const planted = io('/');`,
    nodes: ['CallExpression'],
    found: isCallOf('io'),
    ofApps: true,
  },
  {
    name: 'no-own-dialog',
    message:
      'A dialog is an ActionDialog or a DeskDialog of the desk, a QuestionDialog of the patients: they say when it may be left.',
    planted: `import '@clinic/ui/dialog';`,
    nodes: ['ImportDeclaration', 'JSXOpeningElement'],
    found: ({ source, name }) => source?.value === '@clinic/ui/dialog' || name?.name === 'dialog',
    ofApps: true,
  },
  {
    name: 'no-own-focus',
    message:
      'The focus is moved by packages/ui/src/focus.ts alone, within the press that asks for it: no answer moves it.',
    planted: `export const planted = (element: HTMLElement) => element.focus();`,
    nodes: ['CallExpression'],
    found: ({ callee }) =>
      callee.type === 'MemberExpression' && nameOf(callee.property) === 'focus',
    ofApps: true,
  },
  {
    name: 'no-error-message',
    message: 'What is told of an error comes from messageOf, Outcome or LoadState of packages/app.',
    planted: `export const planted = (error: Error) => error.message;`,
    nodes: ['MemberExpression'],
    found: ({ object, property }) =>
      nameOf(property) === 'message' &&
      /^(error|failure)$/.test(object.name ?? nameOf(object.property ?? {})),
    ofApps: true,
  },
  {
    name: 'no-written-path',
    message: 'A path is one of patientPages or deskPages of packages/domain, filled in by pathTo.',
    planted: `export const planted = '/appointments';`,
    nodes: ['Literal', 'TemplateLiteral'],
    // What a method is given, as in startsWith('/'), is no path to a page.
    found: (node) =>
      /^\/($|[a-z])/.test(firstText(node) ?? '') && node.parent.callee?.type !== 'MemberExpression',
    ofApps: true,
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
