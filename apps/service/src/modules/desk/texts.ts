import { deskCalls } from '@clinic/contract';
import {
  type PublishedAgreement,
  agreements,
  currentAgreement,
  shownAgreement,
} from '@clinic/contract/agreements';
import {
  AGREEMENT_KINDS,
  AGREEMENT_PLACEHOLDERS,
  type AgreementTextKind,
  type TextProblem,
  type TypedText,
  inOneLine,
  paragraphsOf,
  whyTextRefused,
} from '@clinic/domain';
import { ENGLISH, type Locale, formatMoney, formatPrice, languages } from '@clinic/texts';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { success } from '../../server/responses.ts';
import { route } from '../../server/http.ts';
import { type FieldProblem, type Refusal, localized, refuse } from '../../server/refusal.ts';
import { insertVersion, publishedAgreements, versionsOf } from '../accounts/index.ts';
import { namesOfStaff } from '../staff/index.ts';

type Words = PublishedAgreement['texts'][number];
type TypedIn = TypedText & { readonly locale: Locale };

/** the texts that patients agree to, as the clinic words them. */
export function registerTexts(app: FastifyInstance, platform: Platform): void {
  const { database, appendAudit, config } = platform;
  const { db } = database;
  const offered = languages.filter(({ id }) => config.languages.includes(id));

  /** The product's own versions, the newest first; older ones were never translated. */
  const builtIn = (kind: AgreementTextKind) =>
    agreements
      .filter((each) => each.kind === kind)
      .map(({ version, draft, title, paragraphs }) => ({
        version,
        isDraft: draft,
        since: null,
        by: null,
        texts:
          version === currentAgreement(kind).version
            ? offered.map(({ id }) => wordsOf(id, shownAgreement(id, kind)))
            : [{ locale: ENGLISH.id, title, paragraphs: [...paragraphs] }],
      }));

  route(app, deskCalls.deskTexts, async () => {
    const [published, nameOf] = await Promise.all([publishedAgreements(db), namesOfStaff(db)]);
    const texts = AGREEMENT_KINDS.map((kind) => {
      const own = published.find((each) => each.kind === kind);
      const { version, draft } = currentAgreement(kind, published);
      return {
        kind,
        version,
        isDraft: draft,
        since: own?.since ?? null,
        by: own ? (nameOf(own.by) ?? own.by) : null,
      };
    });
    return success({ texts });
  });

  route(app, deskCalls.deskText, async ({ params: { kind } }) => {
    const [own, nameOf] = await Promise.all([versionsOf(db, kind), namesOfStaff(db)]);
    const { may, must } = AGREEMENT_PLACEHOLDERS[kind];
    const published = own.map(({ by, ...version }) => ({
      ...version,
      isDraft: false,
      by: nameOf(by) ?? by,
    }));
    return success({
      kind,
      languages: offered,
      placeholders: may.map((name) => ({ name, isNeeded: must.includes(name) })),
      versions: [...published, ...builtIn(kind)],
    });
  });

  route(app, deskCalls.deskPublishText, async ({ params: { kind }, body, staff, now }) => {
    const refused = whyRefused(kind, body.texts, config.languages);
    if (refused !== null) return refused;
    const texts = body.texts.map(({ locale, title, text }) => ({
      locale,
      title: inOneLine(title),
      paragraphs: paragraphsOf(text),
    }));
    const published = await publishedAgreements(db);
    const { version: holds } = currentAgreement(kind, published);
    const own = published.find((each) => each.kind === kind);
    // A retry after a lost answer: this text is published already.
    const isThere = own !== undefined && saysTheSame(own.texts, texts);
    if (!isThere && body.seen !== holds) return refuse('changedMeanwhile');
    const shown = offered.map(({ id }) => {
      const isTranslated = texts.some(({ locale }) => locale === id);
      const language = isTranslated ? id : ENGLISH.id;
      const wording = { kind, version: holds, hash: '', texts };
      const words = shownAgreement(language, kind, exampleIn(language), [wording]);
      return { ...wordsOf(id, words), isTranslated };
    });
    if (body.isPreview || isThere) {
      const extras = { isPublished: !body.isPreview, version: holds, shown };
      return success(extras);
    }
    const version = Number(own?.version ?? LAST_OF_PRODUCT) + 1;
    const actor = `staff:${staff.id}`;
    const outcome = await database.inTransactionOrConflict(async (tx) => {
      const publishedBy = actor;
      await insertVersion(tx, { kind, version, texts, publishedAt: now, publishedBy });
      await appendAudit(tx, {
        actor,
        action: 'text published',
        subject: `text:${kind}`,
        details: { version },
        at: now,
      });
    });
    // A colleague published a version at the same moment.
    if (outcome.kind === 'conflict') return refuse('changedMeanwhile');
    const extras = { isPublished: true, version: String(version), shown };
    return success(extras);
  });

  /** Example values for the placeholders in a preview. */
  const exampleIn = (language: Locale) => ({
    clinicName: config.clinic.name,
    fee: formatMoney(language, EXAMPLE_FEE_CENTS),
    bookingFee: formatPrice(language, config.bookingFeeCents),
  });
}

const EXAMPLE_FEE_CENTS = 20_000;
/** The product's versions are 1.x. */
const LAST_OF_PRODUCT = 1;

const wordsOf = (locale: Locale, { title, paragraphs }: Omit<Words, 'locale'>) => ({
  locale,
  title,
  paragraphs: [...paragraphs],
});

function saysTheSame(one: readonly Words[], other: readonly Words[]): boolean {
  const asText = (texts: readonly Words[]) =>
    texts
      .map(({ locale, title, paragraphs }) => JSON.stringify([locale, title, ...paragraphs]))
      .sort()
      .join();
  return asText(one) === asText(other);
}

/** Null when every text can be published. */
function whyRefused(
  kind: AgreementTextKind,
  texts: readonly TypedIn[],
  offered: readonly Locale[],
): Refusal | null {
  const errors = texts.flatMap((text, at): FieldProblem[] => {
    const isKnown = offered.includes(text.locale);
    const isFirst = texts.findIndex(({ locale }) => locale === text.locale) === at;
    if (!isKnown || !isFirst)
      return [{ field: `texts.${at}.locale`, message: localized('notInTheList') }];
    return whyTextRefused(kind, text).map((problem) => ({
      field: `texts.${at}.${problem.field}`,
      message: wordsFor(problem),
    }));
  });
  if (!texts.some(({ locale }) => locale === ENGLISH.id))
    errors.push({ field: 'texts', message: localized('englishMissing') });
  return errors.length === 0 ? null : refuse('invalidInput', { errors });
}

function wordsFor({ why, placeholder }: TextProblem) {
  if (why === 'empty') return localized('textEmpty');
  return why === 'unknownPlaceholder'
    ? localized('placeholderUnknown', { found: placeholder })
    : localized('placeholderMissing', { needed: placeholder });
}
