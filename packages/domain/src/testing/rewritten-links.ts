import { type MailedLinkName, mailedLink } from '../mailed-links.ts';

const SITE = 'https://clinic.example';

/**
 * What becomes of a mailed link on its way, by rules that their makers publish or by what was seen. `address`: a
 * browser opens it. `text`: somebody pastes it.
 */
interface Rewriting {
  readonly name: string;
  readonly of: 'address' | 'text';
  readonly rewrite: (link: string) => string;
  /** 'none': nobody can read the secret out of it. */
  readonly gives: 'link' | 'none';
  /** Only of a link with a secret: it is cut or broken there. */
  readonly inSecret?: true;
}

const encoded = encodeURIComponent;
const cut = (link: string, characters: number) => link.slice(0, -characters);
/** Breaks the link in its secret, or in its path. */
const broken = (link: string, between: string, at = 12) =>
  `${cut(link, at)}${between}${link.slice(-at)}`;
const inMail = (link: string) =>
  `The clinic invites you to an account.\r\n\r\nOpen your account: ${link}\r\n\r\nThe link is valid until Tuesday.\r\nThe page it opens asks for your birth date.`;
const codeOf = (character: string) => character.charCodeAt(0).toString(16).toUpperCase();
const proofpoint2 = (link: string) =>
  link.replace(/[^A-Za-z0-9./]/g, (one) => `-${codeOf(one)}`).replaceAll('/', '_');

export const REWRITINGS: readonly Rewriting[] = [
  // What a browser opens
  { name: 'as it was mailed', of: 'address', rewrite: (link) => link, gives: 'link' },
  { name: '# as %23', of: 'address', rewrite: (link) => link.replace('#', '%23'), gives: 'link' },
  {
    name: '# as %2523, by two gateways',
    of: 'address',
    rewrite: (link) => link.replace('#', '%2523'),
    gives: 'link',
  },
  {
    name: 'a slash before the #',
    of: 'address',
    rewrite: (link) => link.replace('#', '/#'),
    gives: 'link',
  },
  { name: 'two #', of: 'address', rewrite: (link) => link.replace('#', '##'), gives: 'link' },
  {
    name: 'a query of a mail gateway before the #',
    of: 'address',
    rewrite: (link) => link.replace(/(?=#)|$/, '?data=05%7C02%7C&utm_source=mail'),
    gives: 'link',
  },
  {
    name: "Safe Links' parameters after the link",
    of: 'address',
    rewrite: (link) => `${link}&data=05%7C02%7Cada%40clinic.example%7C1&sdata=x%3D&reserved=0`,
    gives: 'link',
  },
  { name: 'a point at its end', of: 'address', rewrite: (link) => `${link}.`, gives: 'link' },
  { name: 'a comma at its end', of: 'address', rewrite: (link) => `${link},`, gives: 'link' },
  { name: 'a bracket at its end', of: 'address', rewrite: (link) => `${link})`, gives: 'link' },
  { name: '> at its end', of: 'address', rewrite: (link) => `${link}>`, gives: 'link' },
  { name: '%3E at its end', of: 'address', rewrite: (link) => `${link}%3E`, gives: 'link' },
  {
    name: 'a quotation mark at its end',
    of: 'address',
    rewrite: (link) => `${link}%E2%80%9D`,
    gives: 'link',
  },
  {
    name: 'half an escape at its end',
    of: 'address',
    rewrite: (link) => `${link}%2`,
    gives: 'link',
  },
  {
    name: 'half a character at its end',
    of: 'address',
    rewrite: (link) => `${link}%E2%80`,
    gives: 'link',
  },
  {
    name: '%23 and a point',
    of: 'address',
    rewrite: (link) => `${link.replace('#', '%23')}.`,
    gives: 'link',
  },
  {
    name: 'wrapped, with a space',
    of: 'address',
    rewrite: (link) => broken(link, '%20'),
    inSecret: true,
    gives: 'link',
  },
  {
    name: 'wrapped, with a line end',
    of: 'address',
    rewrite: (link) => broken(link, '%0D%0A'),
    inSecret: true,
    gives: 'link',
  },
  {
    name: 'without the secret',
    of: 'address',
    rewrite: (link) => link.replace(/(link_)?[\w-]{43}.*/, ''),
    inSecret: true,
    gives: 'none',
  },
  {
    name: 'without the #, and what follows',
    of: 'address',
    rewrite: (link) => link.replace(/#.*|(link_)?[\w-]{43}.*/, ''),
    inSecret: true,
    gives: 'none',
  },
  {
    name: 'with half of the secret',
    of: 'address',
    rewrite: (link) => cut(link, 21),
    inSecret: true,
    gives: 'none',
  },
  {
    name: 'with half of the secret, # as %23',
    of: 'address',
    rewrite: (link) => cut(link.replace('#', '%23'), 21),
    inSecret: true,
    gives: 'none',
  },
  // What somebody pastes
  { name: 'the whole mail', of: 'text', rewrite: inMail, gives: 'link' },
  {
    name: 'the whole mail, forwarded',
    of: 'text',
    rewrite: (link) => inMail(`<${link}>`).replaceAll(/^/gm, '> '),
    gives: 'link',
  },
  { name: 'in angle brackets', of: 'text', rewrite: (link) => `<${link}>`, gives: 'link' },
  {
    name: 'in Markdown',
    of: 'text',
    rewrite: (link) => `**[Open your account](${link})**`,
    gives: 'link',
  },
  {
    name: 'broken in its secret',
    of: 'text',
    rewrite: (link) => inMail(broken(link, '\r\n')),
    gives: 'link',
  },
  {
    name: 'broken and quoted',
    of: 'text',
    rewrite: (link) => `> > Open: ${broken(link, '\n> > ')}\n> > \n> > The link`,
    gives: 'link',
  },
  {
    name: 'broken in its path',
    of: 'text',
    rewrite: (link) => broken(link, '\n', 46),
    gives: 'link',
  },
  {
    name: 'the source of a mail (quoted-printable)',
    of: 'text',
    rewrite: (link) => broken(link.replace('#', '=23').replace('=', '='), '=\r\n'),
    gives: 'link',
  },
  {
    name: 'the source of a page',
    of: 'text',
    rewrite: (link) => `<a href="${link.replace('#', '&#35;')}">Open</a>`,
    gives: 'link',
  },
  {
    name: 'with zero-width characters',
    of: 'text',
    rewrite: (link) => broken(link, '\u200b'),
    gives: 'link',
  },
  {
    name: 'Safe Links',
    of: 'text',
    rewrite: (link) =>
      `https://can01.safelinks.protection.outlook.com/?url=${encoded(link)}&data=05%7C02%7Cada%40clinic.example&sdata=abc%3D&reserved=0`,
    gives: 'link',
  },
  {
    name: 'Safe Links around %23',
    of: 'text',
    rewrite: (link) =>
      `https://can01.safelinks.protection.outlook.com/ap/x-59/?url=${encoded(link.replace('#', '%23'))}&data=05`,
    gives: 'link',
  },
  {
    name: 'URL Defense 1',
    of: 'text',
    rewrite: (link) =>
      `https://urldefense.proofpoint.com/v1/url?u=${encoded(link)}&k=abc%3D%0A&r=x`,
    gives: 'link',
  },
  {
    name: 'URL Defense 2',
    of: 'text',
    rewrite: (link) =>
      `https://urldefense.proofpoint.com/v2/url?u=${proofpoint2(link)}&d=DwMFaQ&c=x&r=y&m=z&s=q&e=`,
    gives: 'link',
  },
  {
    name: 'URL Defense 3',
    of: 'text',
    rewrite: (link) => `https://urldefense.com/v3/__${link.replace('#', '*')}__;Iw!!AbC!dEf$`,
    gives: 'link',
  },
  {
    name: "Barracuda's",
    of: 'text',
    rewrite: (link) => `https://linkprotect.cudasvc.com/url?a=${encoded(link)}&c=E,1,abc&typo=1`,
    gives: 'link',
  },
  {
    name: "Cisco's",
    of: 'text',
    rewrite: (link) => `https://secure-web.cisco.com/1aBc/${encoded(link)}`,
    gives: 'link',
  },
  {
    name: "Google's",
    of: 'text',
    rewrite: (link) => `https://www.google.com/url?q=${encoded(link)}&sa=D&source=calendar`,
    gives: 'link',
  },
  {
    name: "Check Point's",
    of: 'text',
    rewrite: (link) => `https://url.avanan.click/v2/r01/___${link}___.YXA6`,
    gives: 'link',
  },
  {
    name: "Mimecast's, which says nothing",
    of: 'text',
    rewrite: () => 'https://protect-ca.mimecast.com/s/AbCdEfGhIj?domain=clinic.example',
    gives: 'none',
  },
  {
    name: 'the words of the button',
    of: 'text',
    rewrite: () => 'Open your account',
    gives: 'none',
  },
  { name: 'half of it', of: 'text', rewrite: (link) => cut(link, 21), gives: 'none' },
];

/** Shows the characters of base64url. */
const SECRET = 'aZ09-_'.repeat(7) + '8';

/** A link of the registry as it is mailed. */
export function sampleLink(name: MailedLinkName): string {
  if (name === 'dashboard') return `${mailedLink(SITE, name, `link_${SECRET}`)}/I`;
  const isSecret =
    name === 'account' || name === 'addressChange' || name === 'staff' || name === 'signUp';
  return isSecret ? mailedLink(SITE, name, SECRET) : mailedLink(SITE, name);
}
