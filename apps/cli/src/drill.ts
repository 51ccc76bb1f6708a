import { randomUUID } from 'node:crypto';
import { formatAppointment } from '@clinic/domain';
import type { Db } from '@clinic/service/database/db.ts';
import { readFact, removeFact, writeFact } from '@clinic/service/database/installation.store.ts';
import { violations } from '@clinic/service/database/invariants.store.ts';
import { RESTORE_AGAIN, standingOf } from '@clinic/service/database/migrate.ts';
import { lookAt, openDatabase } from '@clinic/service/database/open-database.ts';
import { whyKeysRefused } from '@clinic/service/modules/privacy/index.ts';
import type { Platform } from '@clinic/service/platform.ts';
import { lastEntryAt } from '@clinic/service/security/audit.store.ts';
import { createKeyring } from '@clinic/service/security/keyring.ts';
import { CommandRefused, type Commands, ageOf, counted } from './command.ts';

const FACT = 'drill';
const MARK = 'drill-mark';

/** The last backup that a drill found whole: when that was, and how far the backup goes, in epoch seconds. */
export interface Drill {
  readonly at: number;
  readonly of: number;
}

export async function lastDrill(db: Db): Promise<Drill | null> {
  const noted = await readFact(db, FACT);
  return noted === null ? null : (JSON.parse(noted) as Drill);
}

/** Which backup that was, and how long ago. */
export const drillSays = (drill: Drill | null, now: number): string =>
  drill === null
    ? 'none was restored to try it (npm run clinic -- drill)'
    : `one up to ${formatAppointment(drill.of)} was restored ${ageOf(now - drill.at)} ago`;

export const drillCommands: Commands = {
  drill: {
    summary: 'Look whether a backup that was restored beside the clinic is whole, and note it.',
    arguments: { '<address>': 'Of the database that it was restored into: postgres://…' },
    async run({ platform, who: { now }, say, texts: { address = '' } }) {
      const { database } = platform;
      const mark = randomUUID();
      await database.inTransaction((tx) => writeFact(tx, MARK, mark));
      await lookAt(address, (restored) => refuseUnfit(restored, platform, mark));
      const of = await tryIt(address, now);
      await database.inTransaction(async (tx) => {
        await removeFact(tx, MARK);
        await writeFact(tx, FACT, JSON.stringify({ at: now, of } satisfies Drill));
      });
      say(`The backup is whole, up to ${formatAppointment(of)}. It can be dropped now.`);
    },
  },
};

/** Before anything is changed in it. */
async function refuseUnfit(restored: Db, { keyring, keyStore }: Platform, mark: string) {
  const standing = await standingOf(restored);
  if (standing.kind === 'half') throw new CommandRefused(`${standing.why} ${RESTORE_AGAIN}.`);
  if (standing.kind === 'new') throw new CommandRefused('This database holds no clinic.');
  if ((await readFact(restored, MARK)) === mark)
    throw new CommandRefused(
      'This is the clinic’s own database: restore the backup into another one.',
    );
  const material = keyStore?.read();
  const withRetired =
    material && createKeyring({ ...material, keys: { ...keyStore?.archived(), ...material.keys } });
  const why = await whyKeysRefused(restored, withRetired ?? keyring);
  if (why !== null)
    throw new CommandRefused(
      `${why} Keep the keys of its day with a backup (docs/operating.md, Keys).`,
    );
}

/** Brings it to this version, as a start would, and returns how far it goes. */
async function tryIt(address: string, now: number): Promise<number> {
  const restored = await openDatabase({ url: address, poolSize: 1 });
  try {
    const found = await violations(restored.db, now);
    if (found.length > 0)
      throw new CommandRefused(
        `${found.slice(0, 20).join('\n')}\n${counted(found.length, 'violation')}.`,
      );
    return (await lastEntryAt(restored.db)) ?? 0;
  } finally {
    await restored.close();
  }
}
