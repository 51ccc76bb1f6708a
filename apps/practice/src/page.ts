import type { FastifyInstance } from 'fastify';

export const HTML = 'text/html; charset=utf-8';

/** An HTML page of the practice clinic; `content` is HTML. */
export const practicePage = (title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/practice/style.css">
</head>
<body>
<header class="banner">Practice clinic: nothing here is real.</header>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;

/** Parses only form bodies in this plugin, and leaves them as strings. */
export function takeForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_, body, done) => done(null, body),
  );
}

export const PRACTICE_STYLE = `:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 0; }
.banner { margin: 0; padding: 0.5rem 1rem; background: #7a4b00; color: #fff; }
main { max-width: 48rem; margin: 0 auto; padding: 1rem; }
article { border-block-start: 1px solid; padding-block: 1rem; }
h2 { margin: 0; font-size: 1.125rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
a { display: inline-block; min-block-size: 1.5rem; }
`;
