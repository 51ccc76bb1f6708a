import { codeOf, fieldErrorsOf, isUnknown } from '@clinic/app/api-error';
import { useDraft, useLeaveWarning } from '@clinic/app/drafts';
import { sendForm } from '@clinic/app/files';
import { whyNot } from '@clinic/app/outcome';
import type { ApiDeskThread } from '@clinic/contract';
import { text as serviceText } from '@clinic/contract/told-by-pages';
import { MOST_FILES, MOST_FILE_BYTES, withoutControls } from '@clinic/domain';
import { formatChoice, formatMoment } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Field } from '@clinic/ui/field';
import { focusByPress } from '@clinic/ui/focus';
import {
  type FileRefusal,
  askedKinds,
  kindNames,
  takeFiles,
  whyRefused,
} from '@clinic/ui/take-files';
import { TextArea } from '@clinic/ui/text-area';
import { useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { ask, service } from '../../shared/api.ts';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { fileSize } from '../../shared/files.ts';
import office from '../../shared/office.module.css';
import { locale, t } from '../../shared/words.ts';
import { type Acting, threadQuery, whoSaid } from './inbox-data.ts';
import styles from './inbox.module.css';
import { InsertReply } from './saved-replies.tsx';

const MOST_CHARACTERS = 4_000;
const MEGABYTES = MOST_FILE_BYTES / 1024 / 1024;
const kinds = () => formatChoice(locale(), kindNames('documents'));

type Entry = ApiDeskThread['entries'][number];

interface Draft {
  readonly text: string;
  readonly files: readonly File[];
  /** Version of the thread when the answer was begun: the writer is told of anything said after it. */
  readonly seen: string;
  readonly known: readonly string[];
}
const NOTHING: Draft = { text: '', files: [], seen: '', known: [] };

/** Identifies an entry and its version: an edit changes the mark. */
const markOf = ({ id, editedAt }: Entry) => `${id} ${editedAt}`;

interface AnswerFormProps extends Acting {
  thread: ApiDeskThread;
  /** What is in the answer until somebody writes; empty for nothing. */
  proposal: string;
  onProposalUsed: () => void;
}

/** The clinic's answer. The draft survives a lock, a failure, and a colleague who answers first. */
export function AnswerForm({ thread, proposal, onProposalUsed, ...acting }: AnswerFormProps) {
  const { id, version, entries } = thread;
  const queries = useQueryClient();
  const [kept, setDraft] = useDraft(`answer ${id}`, NOTHING);
  const begun = { seen: version, known: entries.map(markOf) };
  const draft =
    kept === NOTHING && proposal !== '' ? { ...NOTHING, text: proposal, ...begun } : kept;
  const [problem, setProblem] = useState<string | null>(null);
  const [meanwhile, setMeanwhile] = useState<readonly Entry[]>([]);
  const form = useRef<HTMLFormElement>(null);
  const { text, files } = draft;
  useLeaveWarning(text !== '');

  const change = (next: (now: Draft) => Partial<Pick<Draft, 'text' | 'files'>>) => {
    // While the answer is being sent it cannot be changed; the form is emptied once it has arrived.
    if (send.pending) return;
    setProblem(null);
    onProposalUsed();
    setDraft((stored) => {
      const now = stored === NOTHING ? draft : stored;
      const changed = { ...now, ...next(now) };
      if (changed.text === '' && changed.files.length === 0) return NOTHING;
      return stored === NOTHING ? { ...changed, ...begun } : changed;
    });
  };

  const send = useAction({
    work: async (written: Draft, key) => {
      const fields = { message: written.text, seen: written.seen };
      const headers = { 'idempotency-key': key };
      if (written.files.length > 0)
        await sendForm(service, 'deskAnswerMessage', {
          params: { id },
          headers,
          fields,
          files: written.files,
        });
      else await ask('deskAnswerMessage', { params: { id }, headers, body: fields });
    },
    keptAs: `answer ${id}`,
    shows: [['messages']],
    unknown: t('desk.inbox.sendUnknown'),
    onDone: () => {
      setDraft(NOTHING);
      onProposalUsed();
      setMeanwhile([]);
    },
    onFailed: async (error, written) => {
      if (codeOf(error) !== 'messageChanged') return;
      await queries.invalidateQueries({ queryKey: threadQuery(id).queryKey });
      const now = queries.getQueryData(threadQuery(id).queryKey);
      if (now === undefined) return;
      setMeanwhile(now.entries.filter((entry) => !written.known.includes(markOf(entry))));
      setDraft({ ...written, seen: now.version, known: now.entries.map(markOf) });
    },
  });
  const isOvertaken = codeOf(send.error) === 'messageChanged';

  return (
    <div className={styles.answer}>
      {/* Outside the form, since its dialog contains a form of its own. */}
      <InsertReply
        onInsert={(reply) => {
          change(({ text: now }) => ({
            text: now.trim() === '' ? reply : `${now.trimEnd()}\n\n${reply}`,
          }));
          focusByPress(form.current?.querySelector('textarea'));
        }}
      />
      <form
        ref={form}
        noValidate
        className={styles.stack}
        onSubmit={(event) => {
          event.preventDefault();
          if (send.pending) return;
          if (text.trim() !== '') {
            acting.onAct('answer');
            return send.run(draft);
          }
          setProblem(t('desk.inbox.answerMissing'));
          focusByPress(form.current?.querySelector('textarea'));
        }}
      >
        <TextArea
          label={t('desk.inbox.answer')}
          hint={t('desk.inbox.answerHint')}
          rows={5}
          value={text}
          error={problem}
          readOnly={send.pending}
          maxCharacters={MOST_CHARACTERS}
          aria-keyshortcuts="Control+Enter"
          onChange={(next) => change(() => ({ text: next }))}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
              form.current?.requestSubmit();
            // Escape in a started text must not close the message.
            if (event.key === 'Escape' && text !== '') event.preventDefault();
          }}
        />
        <Files files={files} onChange={(next) => change((now) => ({ files: next(now.files) }))} />
        <div className={office.buttons}>
          <Button type="submit" busy={send.pending} busyLabel={t('desk.inbox.sending')}>
            {t('desk.inbox.send')}
          </Button>
          <Closing thread={thread} {...acting} />
        </div>
        {acting.last === 'answer' && (
          <>
            {isOvertaken && !send.pending && meanwhile.length > 0 && (
              <ActionOutcome press={send.press} kind="caution" title={t('desk.inbox.changed')}>
                {meanwhile.map((entry) => (
                  <p key={entry.id} className={styles.text}>
                    <b>
                      {t('desk.inbox.saidMeanwhile', {
                        who: whoSaid(entry),
                        when: formatMoment(locale(), entry.editedAt ?? entry.at),
                      })}
                    </b>{' '}
                    {entry.message}
                  </p>
                ))}
                <p>{t('desk.inbox.changedAbout')}</p>
              </ActionOutcome>
            )}
            {!isOvertaken && (
              <Outcome
                of={send}
                why={(error) => whyNotSent(error, files)}
                done={t('desk.inbox.sent')}
              />
            )}
          </>
        )}
      </form>
    </div>
  );
}

/** The error of a failed answer; names the file that was refused, if any. */
function whyNotSent(error: Error, files: readonly File[]): string {
  const [field] = fieldErrorsOf(error);
  const file = files[Number(/^file([1-9])$/.exec(field?.field ?? '')?.[1]) - 1];
  if (!field || !file) return whyNot(error);
  return t('desk.inbox.refusedFile', { name: withoutControls(file.name), why: field.message });
}

function refusalWords(refusal: FileRefusal): string {
  const refused = (why: string) =>
    t('desk.inbox.refusedFile', { name: 'name' in refusal ? refusal.name : '', why });
  switch (refusal.code) {
    case 'tooMany':
      return t('desk.inbox.tooManyFiles', { most: MOST_FILES });
    case 'tooLarge':
      return refused(t('desk.inbox.fileTooLarge', { megabytes: MEGABYTES }));
    case 'wrongKind':
      return refused(t('desk.inbox.fileWrongKind', { kinds: kinds() }));
    case 'heic':
    case 'empty':
    case 'twice':
    case 'unreadable':
      return refused(t(`desk.inbox.file.${refusal.code}`));
    default:
      return refused(serviceText(locale(), refusal.code));
  }
}

interface FilesProps {
  files: readonly File[];
  /** Receives an update function, as a file may turn out to be wrong after other changes. */
  onChange: (change: (files: readonly File[]) => readonly File[]) => void;
}

/** Takes what the service takes, and says at once why it would refuse a file. */
function Files({ files, onChange }: FilesProps) {
  const [refusals, setRefusals] = useState<readonly FileRefusal[]>([]);
  const without = (file: File) => onChange((now) => now.filter((other) => other !== file));
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const taken = takeFiles(files, [...(target.files ?? [])]);
    // Otherwise choosing the same file again would fire no change event.
    target.value = '';
    setRefusals(taken.refusals);
    onChange(() => taken.files);
    for (const file of taken.files.slice(files.length)) void look(file);
  };
  const look = async (file: File) => {
    const refusal = await whyRefused(file, 'documents');
    if (refusal === null) return;
    setRefusals((before) => [...before, refusal]);
    without(file);
  };
  const problem = [...new Set(refusals.map(refusalWords))].join(' ');
  return (
    <>
      <Field
        label={t('desk.inbox.attach')}
        hint={t('desk.inbox.attachHint', {
          kinds: kinds(),
          most: MOST_FILES,
          megabytes: MEGABYTES,
        })}
        error={problem === '' ? null : problem}
        optional
      >
        {(wiring) => (
          <input
            {...wiring}
            type="file"
            multiple
            accept={askedKinds('documents')}
            className={styles.chooser}
            onChange={choose}
          />
        )}
      </Field>
      {files.length > 0 && (
        <ul className={styles.list} aria-label={t('desk.inbox.attach')}>
          {files.map((file, at) => (
            <li key={`${at} ${file.name}`} className={styles.file}>
              <span>
                <bdi>{withoutControls(file.name)}</bdi>{' '}
                <span className={styles.soft}>({fileSize(file.size)})</span>
              </span>
              <Button
                variant="quiet"
                icon={<X size={18} aria-hidden="true" />}
                onClick={() => {
                  setRefusals([]);
                  without(file);
                }}
              >
                {t('desk.inbox.removeFile', { name: withoutControls(file.name) })}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Closes a message that needs no answer, or opens it again. */
function Closing({ thread, last, onAct }: { thread: ApiDeskThread } & Acting) {
  const { id, state, version } = thread;
  const close = useAction({
    work: (isClosed: boolean) =>
      ask('deskCloseMessage', { params: { id }, body: { isClosed, seen: version } }),
    shows: [['messages']],
  });
  // The answer was lost, and the message is by now as it was asked to be.
  const isSo = isUnknown(close.error) && close.input === (state === 'closed');
  const label = {
    waiting: t('desk.inbox.close'),
    answered: t('desk.inbox.closeAnswered'),
    closed: t('desk.inbox.open'),
  }[state];
  return (
    <>
      <Button
        variant="secondary"
        busy={close.pending}
        onClick={() => {
          onAct('close');
          close.run(state !== 'closed');
        }}
      >
        {label}
      </Button>
      {last === 'close' && (
        <div className={styles.outcome}>
          {!isSo && <Outcome of={close} />}
          <ActionOutcome press={close.press} kind="good">
            {(close.done || isSo) &&
              t(close.input ? 'desk.inbox.closedNow' : 'desk.inbox.openedNow')}
          </ActionOutcome>
        </div>
      )}
    </>
  );
}
