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
import { columnsOf } from '../../database/column-types.ts';
import { type Db, type Tx, part, sql } from '../../database/db.ts';
import type { PatientId } from '../../security/sessions.store.ts';
import type { RateRule } from '../../server/rates.ts';
import { agreement, agreementText } from './schema.ts';
import { lockAccount } from './store.ts';

const TEXTS = part`select ${columnsOf(agreementText, 't')} from agreement_text t`;

/** the newest version of each kind that the clinic has published. */
export const publishedAgreements = async (db: Db): Promise<PublishedVersion[]> =>
  versionsIn(
    await sql<TextRow>(db, 'agreements-published')`
      ${TEXTS}
       where t.version = (select max(version) from agreement_text newer where newer.kind = t.kind)
       order by t.kind, t.locale`,
  );

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
export const versionsOf = async (db: Db, kind: AgreementTextKind): Promise<PublishedVersion[]> =>
  versionsIn(
    await sql<TextRow>(db, 'agreement-versions')`
      ${TEXTS}
       where t.kind = ${kind} and t.version > (
         select max(version) - ${MOST_VERSIONS}::int from agreement_text newer where newer.kind = t.kind)
       order by t.version desc, t.locale`,
  );

interface NewVersion {
  readonly kind: AgreementTextKind;
  readonly version: number;
  readonly texts: PublishedAgreement['texts'];
  readonly publishedAt: number;
  readonly publishedBy: string;
}

/** Inserts a version; conflicts when somebody published the same version at the same moment. */
export async function insertVersion(tx: Tx, { texts, ...all }: NewVersion): Promise<void> {
  for (const text of texts)
    await sql(tx, 'agreement-version-insert')`
      insert into agreement_text
             (kind, version, locale, title, paragraphs, hash, published_at_s, published_by)
      values (${all.kind}, ${all.version}, ${text.locale}, ${text.title}, ${text.paragraphs}::text[],
              ${hashOf(text)}, ${all.publishedAt}, ${all.publishedBy})`;
}

const hashOf = (text: Parameters<typeof agreementSource>[0]): string =>
  createHash('sha256').update(agreementSource(text)).digest('hex');

type Words = Pick<PublishedAgreement['texts'][number], 'title' | 'paragraphs'>;

/**
 * The texts by the hashes that agreements store: every text that the clinic has published, and the
 * product's own. Earlier wordings of the product's translations are missing.
 */
export async function wordsByHash(db: Db): Promise<ReadonlyMap<string, Words>> {
  const own = await sql<Words>(db, 'agreement-words')`select title, paragraphs from agreement_text`;
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
  const [reached] = await sql<{ at: number }>(tx, 'agreements-wait')`
    select at_s as at from agreement where patient_id = ${patientId} and at_s > ${now - seconds}
     order by at_s desc offset ${count - 1} limit 1`;
  return reached ? reached.at + seconds - now : 0;
}

type Agreement = typeof agreement.$inferSelect;
type NewAgreement = Omit<Agreement, 'readOutBy'> & Partial<Pick<Agreement, 'readOutBy'>>;

export const insertAgreement = (tx: Tx, { readOutBy = null, ...row }: NewAgreement) =>
  sql(tx, 'agreement-insert')`
    insert into agreement
           (id, patient_id, kind, version, text_hash, locale, shown_hash, at_s, read_out_by)
    values (${row.id}::uuid, ${row.patientId}::uuid, ${row.kind}, ${row.version}, ${row.textHash},
            ${row.locale}, ${row.shownHash}, ${row.at}, ${readOutBy}::uuid)`;

/** The agreements of a patient, or of all patients when null; the newest first. */
export const agreementsOf = (db: Db, patientId: string | null, limit = Number.MAX_SAFE_INTEGER) =>
  sql<Omit<Agreement, 'id'>>(db, 'agreements-of')`
    select ${columnsOf(agreement, 'a')} from agreement a
     where ${patientId}::uuid is null or a.patient_id = ${patientId}::uuid
     order by a.at_s desc, a.id desc limit ${limit}`;
