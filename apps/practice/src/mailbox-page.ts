import { formatAppointment } from '@clinic/domain';
import type { PracticeEmail } from './practice-email.ts';

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => escapes[char] ?? char);

/** Text with its web addresses as links. */
const linked = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, n) =>
      n % 2 === 0 ? escape(part) : `<a href="${escape(part)}">${escape(part)}</a>`,
    )
    .join('');

/** Every mail that the practice clinic sent, newest first. */
export function mailboxPage(emails: readonly PracticeEmail[]): string {
  const articles = emails.map(
    (email) => `<article>
<h2>${escape(email.subject)}</h2>
<p class="meta">To ${escape(email.to)}, ${escape(formatAppointment(email.sentAt))}</p>
<pre>${linked(email.text)}</pre>
${
  email.calendar === undefined
    ? ''
    : `<p><a href="/practice/mail/${encodeURIComponent(email.key)}.ics" download>visit.ics</a></p>`
}
</article>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Practice mailbox</title>
<link rel="stylesheet" href="/practice/style.css">
</head>
<body>
<p class="banner">Practice clinic: nothing here is real.</p>
<main>
<h1>Practice mailbox</h1>
${articles.length === 0 ? '<p>No mail has been sent yet.</p>' : articles.join('\n')}
<p><a href="/">Back to the clinic</a></p>
</main>
</body>
</html>
`;
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
