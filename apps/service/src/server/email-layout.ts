import { mailText } from '@clinic/contract/mail-texts';
import { text } from '@clinic/contract/texts';
import { type Access, type EpochSeconds, type MailedAddress, mapLink } from '@clinic/domain';
import { type Locale, directionOf, formatMoment } from '@clinic/texts';
import type { ClinicIdentity } from './config.ts';
import type { Email } from './ports.ts';

interface Link<Address = MailedAddress> {
  readonly label: string;
  readonly link: Address;
}

/** A part of an email: a paragraph, a list of facts with a line each, or a link to one of our pages. */
export type EmailPart = string | readonly string[] | Link;

/** An email with the clinic's signature: its text and its HTML are made of the same parts. */
export function signed(
  locale: Locale,
  { name, email, phone, address }: ClinicIdentity,
  subject: string,
  parts: readonly EmailPart[],
): Pick<Email, 'subject' | 'text' | 'html'> {
  const map = { label: mailText(locale, 'map'), link: mapLink(address) };
  const call = { label: mailText(locale, 'phone', { phone }), link: `tel:${phone}` };
  const write = { label: mailText(locale, 'email', { email }), link: `mailto:${email}` };
  const signature = [name, address, asText(map), call.label, write.label];
  return {
    subject: mailText(locale, 'subject', { subject, clinicName: name }),
    text: [...parts, signature].map(asText).join('\n\n'),
    html: `<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>${escapeHtml(name)}</header>
<main>
<h1>${escapeHtml(subject)}</h1>
${parts.map(asHtml).join('\n')}
</main>
<footer>
<p>${escapeHtml(name)}<br>${escapeHtml(address)}</p>
${[map, call, write].map(asHtml).join('\n')}
</footer>
</body>
</html>
`,
  };
}

/** A link into a patient's account; for one who may not sign in, the words that say so. */
export const intoAccount = (locale: Locale, keptOut: Access['signIn'], link: Link): EmailPart =>
  keptOut === null ? link : text(locale, keptOut);

function asText(part: EmailPart | Link<string>): string {
  if (typeof part === 'string') return part;
  return 'link' in part ? `${part.label}: ${part.link}` : part.join('\n');
}

function asHtml(part: EmailPart | Link<string>): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
  if ('link' in part)
    return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.label)}</a></p>`;
  return `<p class="facts">${part.map(escapeHtml).join('<br>')}</p>`;
}

/** Escapes text for HTML, between tags and in attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

/** Uses the colours of the reader's light or dark theme, except for the button. Mail programs may drop it. */
const STYLE = `
:root { color-scheme: light dark; background: Canvas; color: CanvasText; }
body { max-width: 36rem; margin: 0 auto; padding: 16px; font: 1rem/1.5 Arial, sans-serif; overflow-wrap: anywhere; }
header { font-weight: bold; }
h1 { font-size: 1.5rem; line-height: 1.2; }
.facts { padding-inline-start: 12px; border-inline-start: 4px solid #2b8a8f; font-weight: bold; }
main a { display: inline-block; padding: 12px 20px; border-radius: 8px; background: #00595c; color: #fff; font-weight: bold; text-decoration: none; }
footer { margin-block-start: 32px; border-block-start: 1px solid; }
footer p { margin-block: 8px; }
footer a { display: inline-block; min-block-size: 24px; }
`;

/** A wall time that names its zone, because the reader's device may know outdated rules for it. */
export const emailTime = (locale: Locale, at: EpochSeconds): string =>
  mailText(locale, 'clinicTime', { time: formatMoment(locale, at) });

/** The same in short, for the further times of an email. */
export const shortTime = (locale: Locale, at: EpochSeconds): string =>
  mailText(locale, 'shortTime', { time: formatMoment(locale, at) });
