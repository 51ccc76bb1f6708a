// docs/configuration.md: every setting of production, as the service reads it.
//
//   node tools/gen-configuration.mjs           fails when the page is stale
//   node tools/gen-configuration.mjs --write   writes the page
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

import { about } from '../apps/service/src/setting-kinds.ts';
import { TOGETHER, clinicsSettings, productionSettings } from '../apps/service/src/settings.ts';
import { root } from './node-path.mjs';

/** The sections in their order, each with the text above its table. */
const groups = {
  Clinic: 'What the pages and emails say of the clinic, and what it offers.',
  EMR: 'The clinic’s EMR, which is OSCAR. How it is connected: [emr.md](emr.md#connecting-a-clinic).',
  Addresses: 'Where patients find it, and where it listens.',
  Database: 'How to run behind a pooler: [operating.md](operating.md#behind-a-pooler).',
  Clinics:
    'For `npm run clinic -- clinics` alone, which makes a clinic beside others: [operating.md](operating.md#growing). A service that finds it in its environment does not start.',
  Keys: `The keys are JSON: \`{"current":"k1","index":"k1","keys":{"k1":"…"}}\`, each key 32 random bytes in base64. This makes a file of them:

\`\`\`sh
umask 077
printf '{"current":"k1","index":"k1","keys":{"k1":"%s"}}\\n' "$(openssl rand -base64 32)" > keyring.json
\`\`\`

Losing them loses every sealed column. How they are changed and kept: [operating.md](operating.md#keys).`,
  Emails: 'The server that takes the emails, and who they are from.',
  Cards:
    'Without them nothing is charged, and only types that cost nothing are booked. What to set up at Stripe: [operating.md](operating.md#card-payments).',
  Watching:
    'Metrics and traces: [operating.md](operating.md#metrics-and-traces). OpenTelemetry’s other variables for its exporter, such as `OTEL_EXPORTER_OTLP_HEADERS`, count too.',
  More: 'The clinic’s main site, another captcha, the log.',
};

export function configurationPage(settings = { ...productionSettings, ...clinicsSettings }) {
  const sections = Object.entries(groups).map(([group, text]) => {
    const rows = Object.entries(settings)
      .map(([name, schema]) => ({ name, schema, said: about.get(schema) }))
      .filter(({ said }) => said?.group === group)
      .map((setting) => `| ${cellsOf(setting).join(' | ')} |`);
    const head = [
      '| setting | meaning | unless it is set | such as |',
      '| --- | --- | --- | --- |',
    ];
    return [`## ${group}`, text, [...head, ...rows].join('\n')].join('\n\n');
  });
  return `# Configuration

Written by \`npm run gen:configuration\` from [settings.ts](../apps/service/src/settings.ts). The practice clinic needs no settings; its own are in [practice-clinic.md](practice-clinic.md).

Settings are variables of the environment. A start that lacks one, or finds one wrong, weak or left as in an example, is refused: one message names each, with what mends it. \`npm run clinic -- doctor\` says the same without a start, and more ([operating.md](operating.md#doctor)).

A secret (marked **secret**) may stand in a file: \`NAME_FILE\` names it in place of \`NAME\`. White space around a value does not count, and an empty one is not set.

${sections.join('\n\n')}
`;
}

function cellsOf({ name, schema, said }) {
  const together = TOGETHER.some((names) => names.includes(name));
  const optional = together ? 'none of them' : 'nothing';
  const unless = schema.safeParse(undefined).success ? (said.usual ?? optional) : '**must be set**';
  const such =
    'such' in said ? `\`${said.such}\`` : said.cure.replace(/^./, (first) => first.toLowerCase());
  const cells = [`\`${name}\`${said.isSecret ? ' **secret**' : ''}`, said.means, unless, such];
  return cells.map((cell) => cell.replaceAll('|', '\\|'));
}

if (process.argv[1] === import.meta.filename) {
  const path = join(root, 'docs/configuration.md');
  const page = await format(configurationPage(), {
    ...(await resolveConfig(path)),
    filepath: path,
  });
  if (process.argv.includes('--write')) writeFileSync(path, page);
  else if (readFileSync(path, 'utf8') !== page) {
    console.error('docs/configuration.md is stale: npm run gen:configuration');
    process.exitCode = 1;
  } else
    console.log(
      `${Object.keys(productionSettings).length + Object.keys(clinicsSettings).length} settings, each on the page`,
    );
}
