import { Form, useForm } from '@clinic/app/form';
import { LoadState } from '@clinic/app/outcome';
import type { ApiSavedReply } from '@clinic/contract';
import { Button } from '@clinic/ui/button';
import { formHeaders } from '@clinic/ui/changed-elsewhere';
import { Notice } from '@clinic/ui/notice';
import { SelectField } from '@clinic/ui/select-field';
import { TextArea } from '@clinic/ui/text-area';
import { TextField } from '@clinic/ui/text-field';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, isOvertaken } from '../../shared/api.ts';
import { Outcome, useAction, useSaid } from '../../shared/desk-action.tsx';
import { useFormOver } from '../../shared/form-over.tsx';
import { DeskDialog, LeaveButton } from '../../shared/under-way.tsx';
import office from '../../shared/office.module.css';
import { t } from '../../shared/words.ts';
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
      {replies.isError && <LoadState of={replies} />}
      <Button variant="quiet" onClick={() => setEditing(true)}>
        {t('desk.inbox.replies')}
      </Button>
      {isEditing && <EditReplies onClose={() => setEditing(false)} />}
    </div>
  );
}

function EditReplies({ onClose }: { onClose: () => void }) {
  const replies = useQuery(repliesQuery);
  const [edited, setEdited] = useState<EditedReply>();
  const [saved, say] = useSaid();
  const drop = useAction({
    work: ({ id, version }: ApiSavedReply) =>
      ask('deskDropReply', { params: { id }, body: { seen: version } }),
    onDone: () => say(t('desk.inbox.replyGone')),
    shows: [repliesQuery.queryKey],
  });
  if (edited)
    return (
      <DeskDialog title={t('desk.inbox.repliesTitle')} size="large" onClose={onClose} key="one">
        <ReplyForm
          reply={edited}
          current={replies.data?.find(({ id }) => id === edited.id)}
          onBack={() => setEdited(undefined)}
          onKept={() => {
            setEdited(undefined);
            say(t('desk.inbox.replyKept'));
          }}
        />
      </DeskDialog>
    );
  return (
    <DeskDialog title={t('desk.inbox.repliesTitle')} size="large" onClose={onClose} key="all">
      <div className={styles.stack}>
        <p className={styles.soft}>{t('desk.inbox.repliesAbout')}</p>
        <LoadState of={replies} />
        {replies.data?.length === 0 && <p>{t('desk.inbox.noReplies')}</p>}
        {replies.data && replies.data.length > 0 && (
          <ul className={styles.list}>
            {replies.data.map((reply) => (
              <li key={reply.id} className={styles.note}>
                <b>{reply.name}</b>
                <p className={styles.text}>{reply.text}</p>
                <div className={office.buttons}>
                  <Button variant="secondary" onClick={() => setEdited(reply)}>
                    {t('desk.inbox.replyEdit', { name: reply.name })}
                  </Button>
                  <Button
                    variant="quiet"
                    busy={drop.pending && drop.input?.id === reply.id}
                    onClick={() => drop.run(reply)}
                  >
                    {t('desk.inbox.replyDelete', { name: reply.name })}
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        )}
        <Outcome of={drop} />
        {saved}
        <div>
          <Button onClick={() => setEdited({ id: crypto.randomUUID(), name: '', text: '' })}>
            {t('desk.inbox.replyNew')}
          </Button>
        </div>
      </div>
    </DeskDialog>
  );
}

/** A new reply has no version. */
type EditedReply = Omit<ApiSavedReply, 'version'>;

interface ReplyFormProps {
  reply: EditedReply;
  /** The reply as it is now; undefined where none is saved. */
  current: ApiSavedReply | undefined;
  onBack: () => void;
  onKept: () => void;
}

function ReplyForm({ reply, current, onBack, onKept }: ReplyFormProps) {
  const { name: nameNow, text: textNow } = current ?? reply;
  const over = useFormOver({ name: nameNow, text: textNow }, current?.formVersion);
  const form = useForm(over.state);
  const { name, text } = form.values;
  const [isShownAnew, setShownAnew] = useState(false);
  const keep = useAction({
    work: () => {
      // Once its writer has been shown that it was deleted, it is kept anew.
      const headers =
        current === undefined && reply.formVersion !== undefined && !isShownAnew
          ? formHeaders(reply.formVersion, ['name', 'text'])
          : over.headers();
      return ask('deskKeepReply', { params: { id: reply.id }, headers, body: { name, text } });
    },
    onDone: onKept,
    onFailed: (error) => setShownAnew(isShownAnew || isOvertaken(error)),
    shows: [repliesQuery.queryKey],
  });
  return (
    <Form
      of={form}
      className={styles.stack}
      textsStay
      pending={keep.pending}
      check={() => {
        const empty = (['name', 'text'] as const).find((field) => form.values[field].trim() === '');
        return empty ? [{ field: empty, message: t('desk.inbox.replyMissing') }] : [];
      }}
      onSend={keep.run}
    >
      <TextField {...form.field('name')} label={t('desk.name')} data-autofocus="" maxLength={80} />
      <TextArea
        {...form.field('text')}
        label={t('desk.inbox.replyText')}
        rows={6}
        maxLength={4_000}
      />
      <div className={office.buttons}>
        <Button type="submit" busy={keep.pending} busyLabel={t('desk.saving')}>
          {t('desk.inbox.replyKeep')}
        </Button>
        <LeaveButton onClick={onBack}>{t('desk.inbox.replyBack')}</LeaveButton>
      </div>
      <Outcome of={keep} />
      {over.elsewhere((field) =>
        field === 'name'
          ? { label: t('desk.name'), saved: nameNow }
          : { label: t('desk.inbox.replyText'), saved: textNow },
      )}
      {isShownAnew && current === undefined && (
        <Notice kind="caution">
          <p>{t('desk.inbox.replyDeleted')}</p>
        </Notice>
      )}
    </Form>
  );
}
