import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { formatAppointment } from '@clinic/domain';
import { agreementsOf, wordsByHash } from '@clinic/service/modules/accounts/index.ts';
import { putKeyBack, retention, rotateKeys } from '@clinic/service/modules/privacy/index.ts';
import { sealAudit, verifyAudit } from '@clinic/service/security/audit-chain.store.ts';
import type { KeyStore } from '@clinic/service/security/keyring.ts';
import {
  type CommandContext,
  CommandRefused,
  type Commands,
  type Given,
  LIMIT_OPTION,
  counted,
  wantedCount,
  wantedId,
} from './command.ts';

export const KEYS_IN_ENVIRONMENT =
  'The keys stand in KEYRING, which no command can change. Put them into a file, name it in KEYRING_FILE, and restart (docs/operating.md).';

/** These need neither the service nor its database: main.ts runs them in the terminal. */
export const keyCommands: Commands = {
  'keys list': {
    summary:
      'List the keys: which seals, which open, which were retired, and which backups need each.',
    options: {
      '--backups <folder>':
        'A folder whose files <backup>.keys name the keys that each backup needs.',
    },
  },
  'keys put-back': {
    summary: 'Put a retired key back, to open a backup from its day; rotate-keys retires it again.',
    arguments: { '<id>': 'Of a key of the archive.' },
  },
};

/** Runs one of `keyCommands`. */
export function tendKeys(
  command: string,
  { texts: { id = '', backups: folder } }: Given,
  store: KeyStore,
  say: (line: string) => void,
): void {
  if (command === 'keys put-back') {
    if (!putKeyBack(store, id)) throw new CommandRefused(`The archive has no key '${id}'.`);
    return say(`The key ${id} opens again. Once the service runs, retire it: rotate-keys.`);
  }
  const { current, keys } = store.read();
  const needs = folder === undefined ? null : backupsByKey(folder);
  const line = (key: string, standing: string) => say(`${key}: ${standing}${needsOf(needs, key)}`);
  for (const each of Object.keys(keys)) line(each, each === current ? 'seals' : 'opens');
  const archived = store.archived();
  for (const each of Object.keys(archived))
    if (!(each in keys)) line(each, 'retired, in the archive');
  const gone = [...(needs?.keys() ?? [])].filter((each) => !(each in keys || each in archived));
  for (const each of gone) line(each, 'NOT HERE');
  if (gone.length > 0)
    throw new CommandRefused(
      `Without ${gone.join(' and ')} the backups that need it cannot be read: put the archive of their day back.`,
    );
}

/** The backups that need each key, oldest first, by what their files say. */
function backupsByKey(folder: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of filesOf(folder)) {
    const backup = basename(file, '.keys');
    for (const key of readFileSync(join(folder, file), 'utf8').split(/\s+/).filter(Boolean))
      found.set(key, [...(found.get(key) ?? []), backup]);
  }
  return found;
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.keys'))
      .toSorted();
  } catch (error) {
    throw new CommandRefused(`${folder} cannot be read: ${(error as Error).message}.`);
  }
}

function needsOf(needs: ReturnType<typeof backupsByKey> | null, key: string): string {
  if (needs === null) return '';
  const backups = needs.get(key) ?? [];
  if (backups.length === 0) return '; no backup needs it';
  const others = backups.length > 1 ? ` to ${backups.at(-1)}` : '';
  return `; needed by ${counted(backups.length, 'backup')}, ${backups[0]}${others}`;
}

export const privacyCommands: Commands = {
  ...keyCommands,
  'rotate-keys': {
    summary:
      'Change the keys that seal health data, while the service runs; takes a minute or more.',
    async run({ platform, who: { actor }, say }) {
      const { keyStore } = platform;
      if (!keyStore) throw new CommandRefused(KEYS_IN_ENVIRONMENT);
      const end = await rotateKeys(platform, keyStore, { actor, say });
      const { values, resealed, left } = end.walk;
      say(`${counted(values, 'value')} looked at, ${resealed} sealed again.`);
      if (end.kind === 'rotated') return say(`Retired: ${end.retired.join(', ')}.`);
      if (left.length === 0)
        throw new CommandRefused(
          `Some process seals by an old key still; the keys ${end.kept.join(', ')} stay. Stop or restart it and run the command again.`,
        );
      say(...left.slice(0, 20).map((each) => `  not readable: ${each}`));
      throw new CommandRefused(
        `${left.length} values could not be sealed again; the keys ${end.kept.join(', ')} stay. Run the command again once they are mended.`,
      );
    },
  },
  'verify-audit': {
    summary: 'Check that nothing in the audit trail was changed, taken out, put in or moved.',
    async run({ platform: { database, keyring }, say }) {
      await sealAudit(database, keyring);
      const { rows, unlinked, findings, head } = await verifyAudit(database, keyring);
      say(
        ...findings,
        `${counted(rows, 'row')}, ${unlinked} not linked yet. The chain ends with ${head || 'nothing'}.`,
      );
      if (findings.length > 0)
        throw new CommandRefused('The audit trail is not as it was written.');
      say('The audit trail is as it was written.');
    },
  },
  'consents list': {
    summary: 'List what patients agreed to: kind, version, hash of the text, when.',
    options: { '--patient <text>': 'Only of the patient with this id.', ...LIMIT_OPTION },
    async run({ db, say, texts }) {
      const patient = texts.patient === undefined ? null : wantedId(texts.patient, 'patient');
      const rows = await agreementsOf(db, patient, wantedCount(texts, 100));
      for (const row of rows) {
        const { at, kind, version, textHash, locale, shownHash, patientId, readOutBy } = row;
        const shown = locale === 'en' ? '' : `  shown in ${locale}: ${shownHash}`;
        const how = readOutBy === null ? shown : `  read out by staff:${readOutBy}`;
        say(
          `${formatAppointment(at)}  ${patientId}  ${kind}  version ${version}  ${textHash}${how}`,
        );
      }
      say(`${counted(rows.length, 'agreement')}.`);
    },
  },
  'consents text': {
    summary: 'Say the words of a text that was agreed to, by a hash of the list.',
    arguments: { '<hash>': 'As `consents list` shows it.' },
    async run({ db, say, texts }) {
      const words = (await wordsByHash(db)).get(texts.hash ?? '');
      if (!words) throw new CommandRefused('The clinic has no text with this hash.');
      say(words.title, ...words.paragraphs);
    },
  },
  retention: {
    summary: 'Say whose records need not be kept any longer; with --apply, erase them.',
    options: { '--apply': 'Erase. There is no way back but a backup.' },
    irrevocableWith: 'apply',
    foresee: (context) => keepOrErase(context, false),
    async run(context) {
      const apply = context.flags.includes('apply');
      const due = await keepOrErase(context, apply);
      if (!apply && due > 0) context.say('Nothing was touched. --apply erases them.');
    },
  },
};

async function keepOrErase({ platform, who, say }: CommandContext, apply: boolean) {
  const { patients, due } = await retention(platform, { ...who, apply });
  for (const { person, lastEntry, keptUntil } of due)
    say(`${person}  last entry ${lastEntry}, kept until ${keptUntil}`);
  say(`${due.length} of ${counted(patients, 'patient')} ${apply ? 'erased' : 'could be erased'}.`);
  return due.length;
}
