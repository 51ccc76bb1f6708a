import { createHash } from 'node:crypto';
import {
  type PublishedAgreement,
  agreementOfOlderPages,
  agreementSource,
  agreements,
  currentAgreement,
  shownAgreement,
} from '@clinic/contract/agreements';
import { AGREEMENT_KINDS, type AgreementTextKind } from '@clinic/domain';
import { ENGLISH, type Locale, languages } from '@clinic/texts';
import { and, asc, desc, eq, gt, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db, Tx } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { RateRule } from '../../server/rates.ts';
import { agreement, agreementText } from './schema.ts';
import { lockAccount } from './store.ts';

/** the newest version of each kind that the clinic has published. */
export async function publishedAgreements(db: Db): Promise<PublishedVersion[]> {
  const newer = alias(agreementText, 'newer');
  const newest = db
    .select({ version: sql`max(${newer.version})` })
    .from(newer)
    .where(eq(newer.kind, agreementText.kind));
  const rows = await db
    .select()
    .from(agreementText)
    .where(eq(agreementText.version, newest))
    .orderBy(asc(agreementText.kind), asc(agreementText.locale));
  return versionsIn(rows);
}

type TextRow = typeof agreementText.$inferSelect;

interface PublishedVersion extends PublishedAgreement {
  readonly kind: AgreementTextKind;
  readonly since: number;
  /** The audit actor who published the version. */
  readonly by: string;
}

/** Groups rows into versions, each of an English text and its translations. */
function versionsIn(rows: readonly TextRow[]): PublishedVersion[] {
  const english = rows.filter(({ locale }) => locale === ENGLISH.id);
  return english.map(({ kind, version, hash, publishedAt, publishedBy }) => ({
    kind: kind as AgreementTextKind,
    version: String(version),
    hash,
    since: publishedAt,
    by: publishedBy,
    texts: rows
      .filter((row) => row.kind === kind && row.version === version)
      .map(({ locale, title, paragraphs }) => ({ locale, title, paragraphs })),
  }));
}

/** The most versions shown at once; older ones stay stored. */
const MOST_VERSIONS = 50;

/** The newest versions of a kind that the clinic has published, the newest first. */
export async function versionsOf(db: Db, kind: AgreementTextKind): Promise<PublishedVersion[]> {
  const rows = await db
    .select()
    .from(agreementText)
    .where(
      and(
        eq(agreementText.kind, kind),
        gt(
          agreementText.version,
          db
            .select({ last: sql`max(${agreementText.version}) - ${MOST_VERSIONS}` })
            .from(agreementText)
            .where(eq(agreementText.kind, kind)),
        ),
      ),
    )
    .orderBy(desc(agreementText.version), asc(agreementText.locale));
  return versionsIn(rows);
}

interface NewVersion {
  readonly kind: AgreementTextKind;
  readonly version: number;
  readonly texts: PublishedAgreement['texts'];
  readonly publishedAt: number;
  readonly publishedBy: string;
}

/** Inserts a version; conflicts when somebody published the same version at the same moment. */
export async function insertVersion(tx: Tx, { texts, ...version }: NewVersion): Promise<void> {
  await tx.insert(agreementText).values(
    texts.map(({ paragraphs, ...text }) => ({
      ...version,
      ...text,
      paragraphs: [...paragraphs],
      hash: hashOf({ ...text, paragraphs }),
    })),
  );
}

const hashOf = (text: Parameters<typeof agreementSource>[0]): string =>
  createHash('sha256').update(agreementSource(text)).digest('hex');

type Words = Pick<PublishedAgreement['texts'][number], 'title' | 'paragraphs'>;

/**
 * The texts by the hashes that agreements store: every text that the clinic has published, and the
 * product's own. Earlier wordings of the product's translations are missing.
 */
export async function wordsByHash(db: Db): Promise<ReadonlyMap<string, Words>> {
  const own: Words[] = await db
    .select({ title: agreementText.title, paragraphs: agreementText.paragraphs })
    .from(agreementText);
  const translated = AGREEMENT_KINDS.flatMap((kind) =>
    languages.map(({ id }) => shownAgreement(id, kind)),
  );
  return new Map(
    [...translated, ...agreements, ...own].map(({ title, paragraphs }) => [
      hashOf({ title, paragraphs }),
      { title, paragraphs },
    ]),
  );
}

/** The text that somebody agrees to, as an agreement stores it. */
export interface AgreedText {
  readonly version: string;
  readonly textHash: string;
  /** The language in which it is read: English when the clinic's text has no translation. */
  readonly locale: Locale;
  /** Null where nobody knows any more how the text was translated. */
  readonly shownHash: string | null;
}

export async function agreedText(
  db: Db,
  kind: AgreementTextKind,
  locale: Locale,
  /** Of the text that the page has shown. */
  seen = '',
): Promise<AgreedText> {
  const published = await publishedAgreements(db);
  const older = agreementOfOlderPages(kind, seen, published);
  if (older) {
    const { version, hash: textHash } = older;
    return { version, textHash, locale, shownHash: locale === ENGLISH.id ? textHash : null };
  }
  const { version, hash } = currentAgreement(kind, published);
  const { language, ...shown } = shownAgreement(locale, kind, undefined, published);
  return { version, textHash: hash, locale: language, shownHash: hashOf(shown) };
}

/**
 * The seconds until the rule lets the patient agree again; 0 when they may agree now. Locks the
 * patient's row, so that concurrent requests count too.
 */
export async function agreementsWait(
  tx: Tx,
  patientId: PatientId,
  { count, seconds }: RateRule,
  now: number,
): Promise<number> {
  await lockAccount(tx, patientId);
  const [reached] = await tx
    .select({ at: agreement.at })
    .from(agreement)
    .where(and(eq(agreement.patientId, patientId), gt(agreement.at, now - seconds)))
    .orderBy(desc(agreement.at))
    .offset(count - 1)
    .limit(1);
  return reached ? reached.at + seconds - now : 0;
}

export async function insertAgreement(tx: Tx, row: typeof agreement.$inferInsert): Promise<void> {
  await tx.insert(agreement).values(row);
}

/** The agreements of a patient, or of all patients when null; the newest first. */
export function agreementsOf(db: Db, patientId: string | null, limit = Number.MAX_SAFE_INTEGER) {
  const { patientId: whose, kind, version, textHash, locale, shownHash, at, readOutBy } = agreement;
  return db
    .select({ patientId: whose, kind, version, textHash, locale, shownHash, at, readOutBy })
    .from(agreement)
    .where(patientId === null ? undefined : eq(whose, patientId))
    .orderBy(desc(at), desc(agreement.id))
    .limit(limit);
}
