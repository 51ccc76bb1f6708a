import { fieldErrorsOf } from '@clinic/app/api-error';
import { LoadState } from '@clinic/app/outcome';
import type { ApiClinicText, ApiTextKind, ApiTextPreview } from '@clinic/contract';
import { deskPages } from '@clinic/domain';
import { ENGLISH } from '@clinic/texts/languages';
import { Button } from '@clinic/ui/button';
import { ErrorSummary, type FormError } from '@clinic/ui/error-summary';
import { Notice } from '@clinic/ui/notice';
import { TextArea } from '@clinic/ui/text-area';
import { TextField } from '@clinic/ui/text-field';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { ask } from '../../shared/api.ts';
import { Outcome, useSaid } from '../../shared/desk-action.tsx';
import { useDraft } from '@clinic/app/drafts';
import styles from '../../shared/office.module.css';
import { Section } from '../../shared/section.tsx';
import { SendForm } from '../../shared/send-form.tsx';
import { DeskDialog, LeaveButton } from '../../shared/under-way.tsx';
import { usePreviewed } from '../../shared/use-previewed.ts';
import { t } from '../../shared/words.ts';
import { sinceText, textsQuery } from './texts.tsx';

const textQuery = (kind: ApiTextKind) =>
  queryOptions({
    queryKey: [...textsQuery.queryKey, kind],
    queryFn: async () => (await ask('deskText', { params: { kind } })).extras,
    gcTime: 0,
  });

/** One text that patients agree to, in each language, with its older versions. */
export function TextEditor({ kind }: { kind: ApiTextKind }) {
  const text = useQuery(textQuery(kind));
  const [published, say] = useSaid();
  const [version, setVersion] = useState<string>();
  return (
    <>
      <Section title={t(`desk.setUp.text.${kind}`)} about={t(`desk.setUp.textWhen.${kind}`)}>
        <p>
          <Link href={deskPages.texts}>{t('desk.setUp.allTexts')}</Link>
        </p>
        {published}
        <LoadState of={text} />
        {text.data && (
          <Editor
            key={version}
            text={text.data}
            onPublished={(next) => {
              setVersion(next);
              say(t('desk.setUp.published', { version: next }));
            }}
          />
        )}
      </Section>
      {text.data && <Versions text={text.data} />}
    </>
  );
}

interface Typed {
  readonly title: string;
  readonly text: string;
}
/** The typed text by language, and the version it replaces; null when nothing is typed. */
interface Draft {
  readonly seen: string;
  readonly typed: Readonly<Record<string, Typed>>;
}

/** Versions as editable text: an empty line separates paragraphs. */
const typedOf = ({ texts }: ApiClinicText['versions'][number]) =>
  Object.fromEntries(
    texts.map(({ locale: of, title, paragraphs }) => [
      of,
      { title, text: paragraphs.join('\n\n') },
    ]),
  );

const EMPTY: Typed = { title: '', text: '' };
const isEmpty = ({ title, text }: Typed) => title.trim() === '' && text.trim() === '';

interface EditorProps {
  text: ApiClinicText;
  onPublished: (version: string) => void;
}

function Editor({ text, onPublished }: EditorProps) {
  const { kind, languages, versions } = text;
  const [newest] = versions;
  const holds = newest?.version ?? '';
  const [draft, setDraft] = useDraft<Draft | null>(`text ${kind}`, null);
  const typed = draft?.typed ?? (newest ? typedOf(newest) : {});
  const [isShownAnew, setShownAnew] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const texts = languages.flatMap(({ id }) => {
    const { title, text: words } = typed[id] ?? EMPTY;
    return isEmpty({ title, text: words }) ? [] : [{ locale: id, title, text: words }];
  });
  const { action, preview, isLooking, isSaving, looks, look, save, drop } = usePreviewed({
    send: async (_, by?: ApiTextPreview) => {
      // Once a colleague's newer version has been shown here, publishing replaces that version.
      const seen = isShownAnew ? holds : (draft?.seen ?? holds);
      const body = { seen, texts, isPreview: by === undefined };
      try {
        return (await ask('deskPublishText', { params: { kind }, body })).extras;
      } finally {
        setAsked(false);
      }
    },
    isSaved: ({ isPublished }) => isPublished,
    shows: [textsQuery.queryKey],
    unknown: t('desk.setUp.publishUnknown'),
    onSaved({ version }) {
      setDraft(null);
      onPublished(version);
    },
    onOvertaken: () => setShownAnew(true),
  });
  const fieldOf = (id: string, part: keyof Typed) => `text-${id}-${part}`;
  const errors = errorsOf(action.error, (at, part) => {
    // An error about all languages is shown at the English text.
    return fieldOf(texts[at]?.locale ?? ENGLISH.id, part);
  });
  const errorOf = (field: string) => errors.find(({ fieldId }) => fieldId === field)?.message;
  const change = (id: string, next: Partial<Typed>) => {
    drop();
    setDraft({
      seen: draft?.seen ?? holds,
      typed: { ...typed, [id]: { ...EMPTY, ...typed[id], ...next } },
    });
  };
  return (
    <>
      <SendForm
        noValidate
        aria-label={t('desk.setUp.write')}
        does={t('desk.setUp.preview')}
        doing={t('desk.looking')}
        busy={isLooking}
        variant="secondary"
        onSend={look}
        beside={
          draft && (
            <Button
              variant="quiet"
              onClick={() => {
                setDraft(null);
                setShownAnew(false);
                drop();
              }}
            >
              {t('desk.setUp.discard')}
            </Button>
          )
        }
      >
        <ErrorSummary errors={errors} attempt={action.press} />
        <p>{placeholderWords(text)}</p>
        {languages.map(({ id, name, dir }) => (
          <fieldset key={id} className={styles.language}>
            <legend>{name}</legend>
            <TextField
              id={fieldOf(id, 'title')}
              label={t('desk.setUp.textTitle', { language: name })}
              lang={id}
              dir={dir}
              maxLength={100}
              error={errorOf(fieldOf(id, 'title'))}
              value={typed[id]?.title ?? ''}
              onChange={(title) => change(id, { title })}
            />
            <TextArea
              id={fieldOf(id, 'text')}
              label={t('desk.setUp.textWords', { language: name })}
              hint={t(id === ENGLISH.id ? 'desk.setUp.englishHint' : 'desk.setUp.otherHint')}
              lang={id}
              dir={dir}
              rows={10}
              maxLength={10_000}
              error={errorOf(fieldOf(id, 'text'))}
              value={typed[id]?.text ?? ''}
              onChange={(words) => change(id, { text: words })}
            />
          </fieldset>
        ))}
      </SendForm>
      {errors.length === 0 && <Outcome of={action} />}
      {isShownAnew && newest && (
        <Notice kind="caution" title={t('desk.setUp.saysNow', { version: holds })}>
          <p>{sinceText(newest)}</p>
          <Words texts={newest.texts} languages={languages} />
        </Notice>
      )}
      {preview && (
        <Preview
          preview={preview.answer}
          languages={languages}
          press={looks}
          onPublish={() => setAsked(true)}
        />
      )}
      {isAsked && (
        <DeskDialog
          title={t('desk.setUp.publishTitle')}
          onClose={() => setAsked(false)}
          actions={
            <>
              <Button
                variant="danger"
                busy={isSaving}
                busyLabel={t('desk.setUp.publishing')}
                onClick={save}
              >
                {t('desk.setUp.publish')}
              </Button>
              <LeaveButton onClick={() => setAsked(false)}>{t('desk.leaveIt')}</LeaveButton>
            </>
          }
        >
          <p>{t('desk.setUp.publishAbout')}</p>
        </DeskDialog>
      )}
    </>
  );
}

const placeholderWords = ({ placeholders }: ApiClinicText): string => {
  const inBraces = (names: ApiClinicText['placeholders']) =>
    names.map(({ name }) => `{${name}}`).join(', ');
  const needed = placeholders.filter(({ isNeeded }) => isNeeded);
  const may = t('desk.setUp.placeholders', { names: inBraces(placeholders) });
  return needed.length === 0
    ? may
    : `${may} ${t('desk.setUp.placeholdersNeeded', { names: inBraces(needed) })}`;
};

/** The service's field errors, linked to the fields of the form. */
function errorsOf(
  error: Error | null,
  fieldAt: (at: number, part: keyof Typed) => string,
): FormError[] {
  const fields = fieldErrorsOf(error);
  return fields.map(({ field, message }) => {
    const [, at, part] = /^texts\.(\d+)\.(title|text)$/.exec(field) ?? [];
    return { fieldId: fieldAt(Number(at), part === 'title' ? 'title' : 'text'), message };
  });
}

interface PreviewProps extends Pick<ApiClinicText, 'languages'> {
  preview: ApiTextPreview;
  press: number;
  onPublish: () => void;
}

/** What patients would read in each language, and the button that publishes it. */
function Preview({ preview: { shown }, languages, press, onPublish }: PreviewProps) {
  return (
    <section className={styles.section} aria-labelledby="text-preview">
      <h3 id="text-preview">{t('desk.setUp.previewTitle')}</h3>
      <Notice key={press} role="alert">
        <p>{t('desk.setUp.previewAbout')}</p>
      </Notice>
      <Words texts={shown} languages={languages} />
      <div>
        <Button onClick={onPublish}>{t('desk.setUp.publish')}</Button>
      </div>
    </section>
  );
}

interface WordsProps extends Pick<ApiClinicText, 'languages'> {
  texts: readonly (
    ApiTextPreview['shown'][number] | ApiClinicText['versions'][number]['texts'][number]
  )[];
}

/** A text in each of its languages, as patients read it. */
function Words({ texts, languages }: WordsProps) {
  return texts.map((text) => {
    const language = languages.find(({ id }) => id === text.locale);
    const isTranslated = !('isTranslated' in text) || text.isTranslated;
    return (
      <div key={text.locale} className={styles.read}>
        <p className={styles.soft}>
          {language?.name ?? text.locale}
          {!isTranslated && ` – ${t('desk.setUp.notTranslated')}`}
          {isTranslated && text.locale !== ENGLISH.id && ` – ${t('desk.setUp.englishHolds')}`}
        </p>
        <div
          lang={isTranslated ? text.locale : ENGLISH.id}
          dir={isTranslated ? language?.dir : 'ltr'}
          translate="no"
        >
          <p>
            <strong>{text.title}</strong>
          </p>
          {text.paragraphs.map((paragraph, at) => (
            <p key={`${at} ${paragraph}`}>{paragraph}</p>
          ))}
        </div>
      </div>
    );
  });
}

/** Older versions and the current one. */
function Versions({ text: { versions, languages } }: { text: ApiClinicText }) {
  return (
    <Section title={t('desk.setUp.versions')}>
      {versions.map((version, at) => (
        <details key={version.version}>
          <summary>
            {t(at === 0 ? 'desk.setUp.versionNow' : 'desk.setUp.versionOf', {
              version: version.version,
              since: sinceText(version),
            })}
          </summary>
          <Words texts={version.texts} languages={languages} />
        </details>
      ))}
    </Section>
  );
}
