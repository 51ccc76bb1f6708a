import type { ApiSavedReply } from '@clinic/contract';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Dialog } from '@clinic/ui/dialog';
import { Notice } from '@clinic/ui/notice';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { SelectField } from '@clinic/ui/select-field';
import { TextArea } from '@clinic/ui/text-area';
import { TextField } from '@clinic/ui/text-field';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, isOvertaken } from '../api.ts';
import { t } from '../words.ts';
import { repliesQuery } from './inbox-data.ts';
import styles from './inbox.module.css';

/** Inserts a saved reply into the answer, where it can be edited. */
export function InsertReply({ onInsert }: { onInsert: (text: string) => void }) {
  const replies = useQuery(repliesQuery);
  const [chosen, setChosen] = useState('');
  const [isEditing, setEditing] = useState(false);
  const { data = [] } = replies;
  const reply = data.find(({ id }) => id === chosen);
  return (
    <div className={styles.inline}>
      {data.length > 0 && (
        <>
          <SelectField
            label={t('desk.inbox.reply')}
            placeholder={t('desk.inbox.replyChoose')}
            options={data.map(({ id, name }) => ({ value: id, label: name }))}
            value={reply ? chosen : ''}
            onChange={setChosen}
          />
          <Button
            variant="secondary"
            disabled={reply === undefined}
            onClick={() => {
              if (!reply) return;
              onInsert(reply.text);
              setChosen('');
            }}
          >
            {t('desk.inbox.replyInsert')}
          </Button>
        </>
      )}
      <Button variant="quiet" onClick={() => setEditing(true)}>
        {t('desk.inbox.replies')}
      </Button>
      {isEditing && <EditReplies onClose={() => setEditing(false)} />}
    </div>
  );
}

function EditReplies({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const replies = useQuery(repliesQuery);
  const [edited, setEdited] = useState<EditedReply>();
  const [saved, setSaved] = useState<{ says: string; press: number }>();
  const drop = useMutation({
    mutationFn: (id: string) => ask('deskDropReply', { params: { id }, body: {} }),
    onSuccess: () => setSaved({ says: t('desk.inbox.replyGone'), press: Date.now() }),
    onSettled: () => queries.invalidateQueries({ queryKey: repliesQuery.queryKey }),
  });
  if (edited)
    return (
      <Dialog title={t('desk.inbox.repliesTitle')} size="large" onClose={onClose} key="one">
        <ReplyForm
          reply={edited}
          current={replies.data?.find(({ id }) => id === edited.id)}
          onBack={() => setEdited(undefined)}
          onKept={() => {
            setEdited(undefined);
            setSaved({ says: t('desk.inbox.replyKept'), press: Date.now() });
          }}
        />
      </Dialog>
    );
  return (
    <Dialog title={t('desk.inbox.repliesTitle')} size="large" onClose={onClose} key="all">
      <div className={styles.stack}>
        <p className={styles.soft}>{t('desk.inbox.repliesAbout')}</p>
        {replies.isPending && <LoadingState />}
        {replies.isError && replies.data === undefined && (
          <FailedState onRetry={() => void replies.refetch()} busy={replies.isFetching}>
            {replies.error.message}
          </FailedState>
        )}
        {replies.data?.length === 0 && <p>{t('desk.inbox.noReplies')}</p>}
        {replies.data && replies.data.length > 0 && (
          <ul className={styles.list}>
            {replies.data.map((reply) => (
              <li key={reply.id} className={styles.note}>
                <b>{reply.name}</b>
                <p className={styles.text}>{reply.text}</p>
                <div className={styles.buttons}>
                  <Button variant="secondary" onClick={() => setEdited(reply)}>
                    {t('desk.inbox.replyEdit', { name: reply.name })}
                  </Button>
                  <Button
                    variant="quiet"
                    busy={drop.isPending && drop.variables === reply.id}
                    onClick={() => drop.mutate(reply.id)}
                  >
                    {t('desk.inbox.replyDelete', { name: reply.name })}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        )}
        <ActionOutcome press={drop.submittedAt}>{drop.error?.message}</ActionOutcome>
        {saved && (
          <ActionOutcome press={saved.press} kind="good">
            {saved.says}
          </ActionOutcome>
        )}
        <div>
          <Button
            onClick={() =>
              setEdited({ id: crypto.randomUUID(), name: '', text: '', version: null })
            }
          >
            {t('desk.inbox.replyNew')}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** `version` is null for a new reply. */
interface EditedReply extends Omit<ApiSavedReply, 'version'> {
  readonly version: string | null;
}

interface ReplyFormProps {
  reply: EditedReply;
  /** The reply as it is now; undefined where none is saved. */
  current: ApiSavedReply | undefined;
  onBack: () => void;
  onKept: () => void;
}

function ReplyForm({ reply, current, onBack, onKept }: ReplyFormProps) {
  const queries = useQueryClient();
  const [name, setName] = useState(reply.name);
  const [text, setText] = useState(reply.text);
  const [problem, setProblem] = useState<string | null>(null);
  const [isShownAnew, setShownAnew] = useState(false);
  const keep = useMutation({
    mutationFn: () => {
      const seen = isShownAnew ? (current?.version ?? null) : reply.version;
      return ask('deskKeepReply', { params: { id: reply.id }, body: { name, text, seen } });
    },
    onSuccess: onKept,
    onError: (error) => setShownAnew(isShownAnew || isOvertaken(error)),
    onSettled: () => queries.invalidateQueries({ queryKey: repliesQuery.queryKey }),
  });
  return (
    <form
      noValidate
      className={styles.stack}
      onSubmit={(event) => {
        event.preventDefault();
        if (keep.isPending) return;
        if (name.trim() === '' || text.trim() === '') setProblem(t('desk.inbox.replyMissing'));
        else keep.mutate();
      }}
    >
      <TextField
        label={t('desk.inbox.replyName')}
        data-autofocus=""
        maxLength={80}
        value={name}
        onChange={setName}
      />
      <TextArea
        label={t('desk.inbox.replyText')}
        rows={6}
        maxLength={4_000}
        value={text}
        error={problem}
        onChange={(next) => {
          setText(next);
          setProblem(null);
        }}
      />
      <div className={styles.buttons}>
        <Button type="submit" busy={keep.isPending} busyLabel={t('desk.inbox.replyKeeping')}>
          {t('desk.inbox.replyKeep')}
        </Button>
        <Button variant="secondary" onClick={onBack}>
          {t('desk.inbox.replyBack')}
        </Button>
      </div>
      <ActionOutcome press={keep.submittedAt}>{keep.error?.message}</ActionOutcome>
      {isShownAnew && (
        <Notice kind="caution" title={t('desk.inbox.replySaysNow')}>
          {current ? (
            <>
              <p>
                <b>{current.name}</b>
              </p>
              <p className={styles.text}>{current.text}</p>
            </>
          ) : (
            <p>{t('desk.inbox.replyDeleted')}</p>
          )}
        </Notice>
      )}
    </form>
  );
}
