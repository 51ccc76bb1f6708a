/** Of an OpenAPI document, what the page shows. */
interface Document {
  readonly info?: { readonly title?: string; readonly description?: string };
  readonly servers?: readonly { readonly url?: string }[];
  readonly tags?: readonly { readonly name?: string; readonly description?: string }[];
  readonly paths?: object;
  readonly components?: { readonly schemas?: object };
}

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses?: Readonly<Record<string, Response>>;
}

interface Response {
  readonly description?: string;
  readonly headers?: Readonly<Record<string, { readonly description?: string }>>;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly contentMediaType?: string;
  readonly maxLength?: number;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => escapes[char] ?? char);
const prose = (text: string): string => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

/** The document as a page without a script, which our content policy would not let run. */
export function apiDocsPage({ info, servers, tags = [], paths, components }: Document): string {
  const operations = operationsOf(paths);
  const sections = tags.map(({ name = '', description = '' }) => {
    const own = operations.filter(({ operation }) => operation.tags?.includes(name));
    return `<section>
<h2>${escape(name)}</h2>
<p>${escape(description)}</p>
${own.map(operationHtml).join('\n')}
</section>`;
  });
  const schemas = Object.entries(components?.schemas ?? {}).map(
    ([name, schema]) =>
      `<h3 id="${escape(name)}">${escape(name)}</h3>\n${schemaHtml(schema as Schema)}`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(info?.title ?? '')}: the calls</title>
<link rel="stylesheet" href="/api/docs/style.css">
</head>
<body>
<main>
<h1>${escape(info?.title ?? '')}: the calls</h1>
<p>${escape(info?.description ?? '')} For programs: <a href="/api/openapi.json">openapi.json</a>. Address: <code>${escape(servers?.[0]?.url ?? '')}</code>.</p>
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

interface Listed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const operationsOf = (paths: object = {}): readonly Listed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );

function operationHtml({ method, path, operation }: Listed): string {
  const { operationId = '', summary = '', description = '', security = [] } = operation;
  const { parameters = [], requestBody, responses = {} } = operation;
  return `<details id="${escape(operationId)}">
<summary><h3><code>${method} ${escape(path)}</code></h3> ${prose(summary)}</summary>
<p>${prose(description)} ${security.length > 0 ? 'For patients who are signed in.' : 'For everybody.'}</p>
${parameters.length === 0 ? '' : `<h4>Parameters</h4>\n<dl>${parameters.map(parameterHtml).join('')}</dl>`}
${requestBody === undefined ? '' : `<h4>Body</h4>\n${contentHtml(requestBody.content)}`}
<h4>Answers</h4>
<dl>${Object.entries(responses).map(responseHtml).join('')}</dl>
</details>`;
}

const parameterHtml = (one: NonNullable<Operation['parameters']>[number]): string =>
  `<dt><code>${escape(one.name)}</code> (${escape(one.in)}${one.required === true ? ', required' : ''})</dt>` +
  `<dd>${schemaHtml(one.schema ?? {})}</dd>`;

function responseHtml([status, { description = '', headers = {}, content = {} }]: [
  string,
  Response,
]): string {
  const said = Object.entries(headers).map(
    ([name, header]) => `<p><code>${escape(name)}</code>: ${escape(header.description ?? '')}</p>`,
  );
  return `<dt>${escape(status)}</dt><dd><p>${prose(description)}</p>${said.join('')}${contentHtml(content)}</dd>`;
}

const contentHtml = (content: Content): string =>
  Object.entries(content)
    .map(([type, { schema = {} }]) => {
      const named = type === 'application/json' ? '' : `<p>${escape(type)}</p>`;
      return named + schemaHtml(schema);
    })
    .join('');

function schemaHtml(schema: Schema): string {
  const name = nameOf(schema);
  return name === undefined
    ? `<pre>${escape(shapeOf(schema, ''))}</pre>`
    : `<p><a href="#${escape(name)}">${escape(name)}</a></p>`;
}

const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);

/** A schema as TypeScript would say it. */
function shapeOf(schema: Schema, indent: string): string {
  const name = nameOf(schema);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((each) => shapeOf(each, indent)).join(' | ');
  if (schema.items) {
    const item = shapeOf(schema.items, indent);
    return / \| /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  }
  const { properties, required = [], additionalProperties } = schema;
  const within = `${indent}  `;
  const fields = Object.entries(properties ?? {}).map(
    ([field, of]) =>
      `${within}${field}${required.includes(field) ? '' : '?'}: ${shapeOf(of, within)};\n`,
  );
  if (typeof additionalProperties === 'object' && Object.keys(additionalProperties).length > 0)
    fields.push(`${within}[name: string]: ${shapeOf(additionalProperties, within)};\n`);
  if (fields.length > 0) return `{\n${fields.join('')}${indent}}`;
  const type = [schema.type ?? 'anything'].flat().join(' | ');
  const { maxLength } = schema;
  const kind = [
    schema.contentMediaType ?? schema.format ?? [],
    maxLength === undefined ? [] : `up to ${maxLength}`,
  ].flat();
  return kind.length === 0 ? type : `${type} (${kind.join(', ')})`;
}

export const API_DOCS_STYLE = `:root { color-scheme: light dark; }
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
a { display: inline-block; min-block-size: 1.5rem; }
`;
