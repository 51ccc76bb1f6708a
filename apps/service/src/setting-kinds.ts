import { createPrivateKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hasUnseen, whyEmailRefused } from '@clinic/domain';
import { ENGLISH, languages } from '@clinic/texts';
import { z } from 'zod';
import { isOpenToOthers, parseKeyMaterial } from './security/keyring-file.ts';
import { KeyringRefused, createKeyring } from './security/keyring.ts';

/** The texts about a setting, with an example value, or how to get a value. */
type SettingTexts = {
  readonly means: string;
  /** What holds where it is not set; known of a schema that has a default. */
  readonly usual?: string;
  /** The value is never printed, and may be in a file whose path the setting NAME_FILE gives. */
  readonly isSecret?: true;
} & ({ readonly such: string } | { readonly cure: string });

/** What docs/configuration.md and errors say of a setting. */
export type AboutSetting = SettingTexts & { readonly group: SettingGroup };

type SettingGroup =
  | 'Clinic'
  | 'EMR'
  | 'Addresses'
  | 'Database'
  | 'Clinics'
  | 'Keys'
  | 'Emails'
  | 'Cards'
  | 'Watching'
  | 'More';
export const about = z.registry<AboutSetting>();

export function setting<S extends z.ZodType>(
  group: SettingGroup,
  schema: S,
  texts: SettingTexts,
): S {
  const own = schema.clone();
  const usual = schema instanceof z.ZodPrefault && { usual: String(schema.def.defaultValue) };
  about.add(own, { group, ...texts, ...usual });
  return own;
}

/** RFC 2606 and RFC 6761: reserved host names, which nobody can own. */
const RESERVED_HOST = /(^|\.)(example(\.(com|net|org))?|invalid|test)$/i;
/** Ten digits, 555-0100 to 555-0199: phone numbers that are assigned to nobody. */
export const RESERVED_PHONE = /^1?\d{3}55501\d\d$/;
/** A value copied from an example unchanged: one word of it, or all of it. */
const PLACEHOLDER = /(?<![\w-])change-?me(?![\w-])|^(practice clinic|secret|password|test)$/i;

export const AN_EXAMPLES = 'still has the value of an example';
/** As OSCAR has them: six characters at most. */
export const providerNumber = z
  .string()
  .trim()
  .regex(/^[-\w]{1,6}$/, 'must be a provider number of the EMR');

export const text = z
  .string()
  .refine((value) => !PLACEHOLDER.test(value), AN_EXAMPLES)
  .transform((value) => value.trim());

const isOwned = (host: string) => !RESERVED_HOST.test(host);

/** A URL that begins with one of these, with a host that is not reserved. */
export const address = (...beginnings: string[]) =>
  text.superRefine((value, context) => {
    if (!URL.canParse(value) || !beginnings.some((each) => value.startsWith(each)))
      return context.addIssue(`must be an address that begins with ${beginnings.join(' or ')}`);
    const { hostname, username, password } = new URL(value);
    if (!isOwned(hostname)) context.addIssue(AN_EXAMPLES);
    if (password !== '' && (password === username || PLACEHOLDER.test(password)))
      context.addIssue('has a password that anybody would try first');
  });

/** Text for people, of one line or, where `lines` says so, of several. */
export const shown = (lines?: 'lines') =>
  text.refine(
    (value) => !hasUnseen(lines ? value.replaceAll(/\r?\n/g, ' ') : value),
    'holds a character that cannot be seen',
  );

/** One address, alone or as `Name <address>`. */
function isOneEmail(value: string): boolean {
  const [, name = '', address = value] = /^([^<]*)<([^<>]*)>$/.exec(value) ?? [];
  return !hasUnseen(name) && whyEmailRefused(address) === null;
}

type Address = z.ZodType<string, string>;

/** An address that browsers are shown. */
export const page = (schema: Address) =>
  schema.refine(
    (value) => !/^\w+:\/\/[^/?#]*@/.test(value),
    'must not have a user name or password',
  );

/** An address to which paths are added. */
export const base = (schema: Address) =>
  page(schema)
    .refine((value) => !/[?#]/.test(value), 'must end with its path: no query and no fragment')
    .transform((value) => value.replace(/\/+$/, ''));

/** An address of a site whose pages stand at its root, as browsers write it in `Origin`. */
export const site = (schema: Address) =>
  page(schema)
    .refine(
      (value) => !/[?#]/.test(value) && /^\w+:\/\/[^/]*\/*$/.test(value),
      'must be the address of a site alone: no path, no query and no fragment, as the pages stand at its root',
    )
    .transform((value) => URL.parse(value)?.origin ?? value);

export const email = text
  .refine(isOneEmail, 'must be an e-mail address, of one mailbox')
  .refine((value) => isOwned(/@([^>]*)/.exec(value)?.[1] ?? ''), AN_EXAMPLES);
/** Gets a mark of 33 characters before its @, where RFC 5321 allows 64 in all. */
export const bareEmail = email.refine(
  (value) => /^[^\s<>@+]{1,31}@[^\s<>@]+$/.test(value),
  'must be a bare e-mail address, with at most 31 characters and no + before the @',
);
export const dollars = text
  .refine((value) => /^\d{1,4}(\.\d{2})?$/.test(value), 'must be an amount in dollars')
  .transform((value) => Math.round(Number(value) * 100));
export const longSecret = text.refine(
  (value) => value.length >= 32,
  'must have at least 32 characters',
);
export const port = text
  .refine(
    (value) => /^\d{1,5}$/.test(value) && Number(value) < 65_536,
    'must be a port: 0 to 65535',
  )
  .transform(Number);
export const countUpTo = (most: number) =>
  text
    .refine(
      (value) => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= most,
      `must be a number from 1 to ${most}`,
    )
    .transform(Number);
export const onOff = z
  .enum(['on', 'off'], 'must be on or off')
  .transform((value) => value === 'on');

/** Lines separated by semicolons; in each a colon separates days and hours. */
export const walkInHours = text.transform((value, { issues }) =>
  value.split(';').map((line) => {
    const [, days, hours] = /^\s*([^:]*[^:\s])\s*:\s*(\S.*?)\s*$/.exec(line) ?? [];
    if (days !== undefined && hours !== undefined) return { days, hours };
    const message = 'must have days and hours apart by a colon, and lines apart by semicolons';
    issues.push({ code: 'custom', message, input: value });
    return z.NEVER;
  }),
);

/** 'en,fr' offers both; English is always among them. */
export const languageList = text
  .transform((value) => value.split(',').map((id) => id.trim()))
  .refine(
    (ids) => ids.every((id) => languages.some((each) => each.id === id)),
    `must name none but ${languages.map(({ id }) => id).join(', ')}`,
  )
  .refine((ids) => ids.includes(ENGLISH.id), 'must name en: English is the text of record');

export const keyMaterial = z.string().transform((value, { issues }) => {
  try {
    const material = parseKeyMaterial(value);
    createKeyring(material);
    return material;
  } catch (error) {
    if (!(error instanceof KeyringRefused)) throw error;
    issues.push({ code: 'custom', message: `cannot be used: ${error.message}`, input: '' });
    return z.NEVER;
  }
});
/** nodemailer signs with RSA keys only; with another key it would send emails unsigned. */
export const rsaKey = text.refine(
  isLongRsaKey,
  'must be a private RSA key of 2048 bits or more, in PEM',
);
function isLongRsaKey(pem: string): boolean {
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem);
    return asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= 2048;
  } catch {
    return false;
  }
}
export const ownFile = text.refine(
  (file) => !existsSync(file) || !isOpenToOthers(file),
  'names a file that others can read',
);
