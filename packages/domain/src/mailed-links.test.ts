import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAILED_LINKS, type MailedLinkName, linkAt, linksIn, mailedLink } from './mailed-links.ts';
import { REWRITINGS, sampleLink } from './testing/rewritten-links.ts';

const names = Object.keys(MAILED_LINKS) as MailedLinkName[];
const secrets = names.filter((name) => 'secret' in MAILED_LINKS[name]);
const addresses = REWRITINGS.filter(({ of }) => of === 'address');
const texts = REWRITINGS.filter(({ of }) => of === 'text');
const pathOf = (link: string) => new URL(link).href.slice(new URL(link).origin.length);

describe.each(names)('The mailed link %s', (name) => {
  const link = sampleLink(name);
  const own = addresses.filter(({ inSecret }) => secrets.includes(name) || !inSecret);

  test.each(own)('is read in the address of the browser $name', ({ rewrite, gives }) => {
    const found = linkAt(new URL(rewrite(link)).href);
    if (gives === 'none') expect(found).toBeNull();
    else expect(found).toMatchObject({ name, address: pathOf(link) });
  });
});

describe.each(secrets)('The mailed link %s', (name) => {
  const link = sampleLink(name);

  test.each(texts)('is read in what was pasted: $name', ({ rewrite, gives }) => {
    const found = linksIn(rewrite(link)).map(({ address }) => address);
    expect(found).toEqual(gives === 'none' ? [] : [pathOf(link)]);
  });
});

test('of two links in one text both are found, each once', () => {
  const [one, other] = ['a', 'b'].map((letter) =>
    mailedLink('https://clinic.example', 'signUp', letter.repeat(43)),
  );
  const found = linksIn(`Filled in at 8: ${one}\n\nFilled in at 9: ${other} ${one}`);
  expect(found.map(({ secret }) => secret)).toEqual(['a'.repeat(43), 'b'.repeat(43)]);
});

test.each([
  '/confirm',
  '/registers',
  '/.well-known/security.txt',
  '/account/x',
  '/desk',
  '/~',
  '/wp-login.php',
])('%s is no mailed link', (address) => expect(linkAt(address)).toBeNull());

const UUID = '01890a5d-ac96-774b-bcce-b302099a8057';

describe.each(['docs/deploy.md', 'docs/operating.md', 'ops/nginx/clinic.conf'])(
  'The access log that %s sets up',
  (file) => {
    const root = join(import.meta.dirname, '../../..');
    const written = readFileSync(join(root, file), 'utf8').replaceAll('\\$', '$');
    const rules = Array.from(
      (/^map \$request_uri \$logged_uri \{\n([^]*?)^\}/m.exec(written)?.[1] ?? '').matchAll(
        /"~\*(.+)" "(.+)";/g,
      ),
      ([, pattern = '', kept = '']) => ({ pattern: new RegExp(pattern, 'i'), kept }),
    );
    const logged = (uri: string): string => {
      const rule = rules.find(({ pattern }) => pattern.test(uri));
      return rule?.kept.replace('$kept', rule.pattern.exec(uri)?.groups?.['kept'] ?? '') ?? uri;
    };

    test('keeps no secret of a mailed link, however it was rewritten, and says where others lead', () => {
      expect(written).toContain('access_log /var/log/nginx/access.log no_secrets;');
      for (const path of ['//confirm', '/x/../confirm', '/%63onfirm', '/~clinic/desk//invitation'])
        expect(logged(`${path}/${'aZ09-_8'.repeat(6)}a`)).not.toMatch(/aZ09/);
      for (const name of secrets)
        for (const { rewrite } of addresses) {
          const [uri = ''] = pathOf(rewrite(sampleLink(name))).split('#');
          expect(logged(uri)).not.toMatch(/aZ09/);
          expect(
            logged(`/elsewhere?url=${encodeURIComponent(rewrite(sampleLink('account')))}`),
          ).not.toMatch(/aZ09/);
        }
      expect(logged('/booking/payment/success?payment_intent_client_secret=x')).not.toContain('=x');
      for (const uri of ['/confirm', '/login?from=%2Faccount', `/api/schedule/${UUID}`])
        expect(logged(uri)).toBe(uri);
    });
  },
);
