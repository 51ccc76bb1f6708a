import type { FastifyInstance } from 'fastify';
import {
  type Answer,
  type Content,
  type Operation,
  type Parameter,
  type Schema,
  apiDocument,
} from './api-document.ts';
import { escapeHtml } from './email-layout.ts';

/**
 * `/api/openapi.json`: every registered call as OpenAPI 3.1; `/api/docs`: the same as a page. Both are
 * for everybody: they hold what the web app's own script holds, and no secret.
 */
export function describeApi(app: FastifyInstance, publicUrl: string): void {
  const answers = {
    '/api/openapi.json': ['application/json', () => JSON.stringify(apiDocument(app, publicUrl))],
    '/api/docs': ['text/html', () => apiDocsPage(apiDocument(app, publicUrl))],
    '/api/docs/style.css': ['text/css', () => STYLE],
  } as const;
  for (const [url, [type, write]] of Object.entries(answers)) {
    // Written at the first request: the routes do not change while the service runs.
    let written: string | null = null;
    app.get(url, { config: { limit: 'none' } }, async (_request, reply) =>
      reply.type(`${type}; charset=utf-8`).send((written ??= write())),
    );
  }
}

const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** The document as a page without scripts, which our content policy would not let run. */
function apiDocsPage(document: ReturnType<typeof apiDocument>): string {
  const { info, servers, tags, paths, components } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      html: operationHtml(`${method.toUpperCase()} ${path}`, operation),
    })),
  );
  const sections = tags.map(({ name, description }) => {
    const own = operations.filter(({ tag }) => tag === name).map(({ html }) => html);
    return `<section>
<h2>${escapeHtml(name)}</h2>
<p>${escapeHtml(description)}</p>
${own.join('\n')}
</section>`;
  });
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<h3 id="${escapeHtml(name)}">${escapeHtml(name)}</h3>\n${schemaHtml(schema)}`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(info.title)}: the calls</title>
<link rel="stylesheet" href="/api/docs/style.css">
</head>
<body>
<main>
<h1>${escapeHtml(info.title)}: the calls</h1>
<p>${escapeHtml(info.description)} For programs: <a href="/api/openapi.json">openapi.json</a>. Address: <code>${escapeHtml(servers[0]?.url ?? '')}</code>.</p>
${sections.join('\n')}
<section>
<h2>Shared shapes</h2>
${schemas.join('\n')}
</section>
</main>
</body>
</html>
`;
}

function operationHtml(request: string, operation: Omit<Operation, 'tags'>): string {
  const { operationId, summary, description = '', security } = operation;
  const { parameters, requestBody, responses } = operation;
  return `<details id="${escapeHtml(operationId)}">
<summary><h3><code>${escapeHtml(request)}</code></h3> ${prose(summary)}</summary>
<p>${prose(description)} ${security.length > 0 ? 'For patients who are signed in.' : 'For everybody.'}</p>
${parameters.length === 0 ? '' : `<h4>Parameters</h4>\n<dl>${parameters.map(parameterHtml).join('')}</dl>`}
${requestBody === undefined ? '' : `<h4>Body</h4>\n${contentHtml(requestBody.content)}`}
<h4>Answers</h4>
<dl>${Object.entries(responses).map(answerHtml).join('')}</dl>
</details>`;
}

const parameterHtml = (one: Parameter): string =>
  `<dt><code>${escapeHtml(one.name)}</code> (${escapeHtml(one.in)}${one.required ? ', required' : ''})</dt>` +
  `<dd>${schemaHtml(one.schema)}</dd>`;

function answerHtml([status, answer]: [string, Answer]): string {
  const { description, headers = {}, content = {} } = answer;
  const lines = Object.entries(headers).map(
    ([name, header]) =>
      `<p><code>${escapeHtml(name)}</code>: ${escapeHtml(header.description)}</p>`,
  );
  return `<dt>${escapeHtml(status)}</dt><dd><p>${prose(description)}</p>${lines.join('')}${contentHtml(content)}</dd>`;
}

const contentHtml = (content: Content): string =>
  Object.entries(content)
    .map(([type, { schema }]) => {
      const named = type === 'application/json' ? '' : `<p>${escapeHtml(type)}</p>`;
      return named + schemaHtml(schema);
    })
    .join('');

function schemaHtml(schema: Schema): string {
  const name = nameOf(schema);
  return name === undefined
    ? `<pre>${escapeHtml(shapeOf(schema, ''))}</pre>`
    : `<p><a href="#${escapeHtml(name)}">${escapeHtml(name)}</a></p>`;
}

const nameOf = (schema: Schema): string | undefined =>
  typeof schema === 'boolean' ? undefined : schema.$ref?.split('/').at(-1);

/** A schema in the notation of TypeScript types. */
function shapeOf(schema: Schema, indent: string): string {
  const name = nameOf(schema);
  if (name !== undefined) return name;
  if (typeof schema === 'boolean') return 'anything';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf && !schema.properties)
    return schema.anyOf.map((each) => shapeOf(each, indent)).join(' | ');
  const [items] = [schema.items ?? []].flat();
  if (items !== undefined) {
    const item = shapeOf(items, indent);
    return / \| /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }
  const { properties = {}, required = [], additionalProperties } = schema;
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(
    ([field, of]) =>
      `${inner}${field}${required.includes(field) ? '' : '?'}: ${shapeOf(of, inner)};\n`,
  );
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0)
    fields.push(`${inner}[name: string]: ${shapeOf(additionalProperties, inner)};\n`);
  if (fields.length > 0) return `{\n${fields.join('')}${indent}}`;
  const type = [schema.type ?? 'anything'].flat().join(' | ');
  const { contentMediaType, format, maxLength } = schema;
  const kind = [contentMediaType ?? format, maxLength && `up to ${maxLength}`].filter(Boolean);
  return kind.length === 0 ? type : `${type} (${kind.join(', ')})`;
}

const STYLE = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; overflow-wrap: anywhere; }
main { max-width: 52rem; margin: 0 auto; padding: 1rem; }
details { border-block-start: 1px solid; padding-block: 0.5rem; }
summary { min-block-size: 1.5rem; cursor: pointer; }
summary h3 { display: inline; font-size: 1rem; }
summary:focus-visible, a:focus-visible { outline: 3px solid; outline-offset: 2px; }
h4 { margin-block: 1rem 0; }
dt { font-weight: 600; }
dd { margin-inline-start: 1rem; }
dd p { margin-block: 0; }
pre { margin: 0; white-space: pre-wrap; }
a { display: inline-block; min-block-size: 1.5rem; color: inherit; }
`;
