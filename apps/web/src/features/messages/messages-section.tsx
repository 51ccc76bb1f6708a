import { formatMoment } from '@clinic/texts';
import { focusByPress } from '@clinic/ui/focus';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ApiMessage } from '@clinic/contract';

import { Button } from '@clinic/ui/button';
import { useComeIn } from '@clinic/ui/come-in';
import { classNames } from '@clinic/ui/class-names';
import { LoadState } from '@clinic/app/outcome';
import { EmptyState } from '@clinic/ui/page-states';
import { Paperclip, PenLine } from 'lucide-react';
import { useCallback, useId, useRef, useState, type Ref } from 'react';
import { useSearchParams } from 'wouter';
import { messages } from '../../messages/en/messages.ts';
import { loadMessages, locale, t } from '../../messages/t.ts';
import { sendFiles } from '../../shared/files/send-files.ts';
import { MessageThread, BackButton } from './message-thread.tsx';
import { listQuery, PAGE_SIZE, useKeepThread } from './messages-data.ts';
import styles from './messages.module.css';
import { WriteForm } from './write-form.tsx';

await loadMessages({ messages });

/** Query parameter for the open view: absent for the list, 'new', or the id of a message. */
const SHOWN = 'message';

/** The patient's messages, as a view of My Account. */
export function MessagesSection() {
  const id = useId();
  const [query, setQuery] = useSearchParams();
  const [skip, setSkip] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = query.get(SHOWN);
  // Remembers the view open last: back in the list, the control that opened it takes the focus.
  const [opened, setOpened] = useState(shown);
  if (shown !== null && shown !== opened) setOpened(shown);

  const show = (message: string | null, { replace = false } = {}) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        if (message === null) next.delete(SHOWN);
        else next.set(SHOWN, message);
        return next;
      },
      { replace },
    );
  const toList = () => {
    show(null);
    focusByPress(heading.current);
  };
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 ref={heading} id={id} tabIndex={-1}>
        {t('messages.title')}
      </h2>
      {shown === null && (
        <>
          <p>{t('messages.lead')}</p>
          <Button
            ref={opened === 'new' ? focusByPress : undefined}
            variant="secondary"
            className={styles.start}
            icon={<PenLine size={18} aria-hidden="true" />}
            onClick={() => show('new')}
          >
            {t('messages.write')}
          </Button>
          <MessageList
            skip={skip}
            opened={opened}
            onSkip={(next) => {
              setSkip(next);
              setOpened(null);
            }}
            onOpen={(message) => show(message)}
          />
        </>
      )}
      {shown === 'new' && (
        <NewMessage
          onBack={toList}
          onSent={(message) => {
            setSkip(0);
            show(message, { replace: true });
          }}
        />
      )}
      {shown !== null && shown !== 'new' && (
        <MessageThread key={shown} id={shown} onBack={toList} />
      )}
    </section>
  );
}

interface NewMessageProps {
  onBack: () => void;
  onSent: (id: string) => void;
}

/** Starts a new message. */
function NewMessage({ onBack, onSent }: NewMessageProps) {
  const keep = useKeepThread();
  const here = useRef(true);
  const untilLeft = useCallback((heading: HTMLHeadingElement) => {
    here.current = true;
    focusByPress(heading);
    return () => {
      here.current = false;
    };
  }, []);
  return (
    <>
      <BackButton onBack={onBack} />
      <h3 ref={untilLeft} tabIndex={-1}>
        {t('messages.newThread')}
      </h3>
      <WriteForm
        name="message"
        label={t('messages.text')}
        send={(input) => sendFiles('startMessage', input)}
        onSent={(message) => {
          keep(message);
          // A patient who has left this view stays where they are.
          if (here.current) onSent(message.id);
        }}
      />
    </>
  );
}

interface MessageListProps {
  skip: number;
  /** The message that was open last, if any. */
  opened: string | null;
  onSkip: (skip: number) => void;
  onOpen: (id: string) => void;
}

/** The list of messages, twenty to a page. */
function MessageList({ skip, opened, onSkip, onOpen }: MessageListProps) {
  const list = useQuery({ ...listQuery(skip), placeholderData: keepPreviousData });
  const focusOpened = useComeIn(opened);
  if (!list.data) return <LoadState of={list} />;
  const { messages, total } = list.data;
  if (total === 0) return <EmptyState>{t('messages.empty')}</EmptyState>;
  const last = skip + messages.length;
  return (
    <>
      <ul className={styles.list} aria-label={t('messages.list')}>
        {messages.map((message) => (
          <Row
            key={message.id}
            message={message}
            opener={message.id === opened ? focusOpened : undefined}
            onOpen={() => onOpen(message.id)}
          />
        ))}
      </ul>
      {total > PAGE_SIZE && (
        <nav className={styles.paging} aria-label={t('messages.list')}>
          <Button
            variant="secondary"
            disabled={skip === 0}
            busy={list.isPlaceholderData}
            onClick={() => onSkip(Math.max(0, skip - PAGE_SIZE))}
          >
            {t('messages.newer')}
          </Button>
          <span role="status">{t('messages.range', { from: skip + 1, to: last, total })}</span>
          <Button
            variant="secondary"
            disabled={last >= total}
            busy={list.isPlaceholderData}
            onClick={() => onSkip(skip + PAGE_SIZE)}
          >
            {t('messages.older')}
          </Button>
        </nav>
      )}
    </>
  );
}

interface RowProps {
  message: ApiMessage;
  /** Its button, where it was open last. */
  opener: Ref<HTMLButtonElement> | undefined;
  onOpen: () => void;
}

function Row({ message, opener, onOpen }: RowProps) {
  const { state, unread, fileCount, changedAt } = message;
  return (
    <li>
      <button
        ref={opener}
        type="button"
        data-private=""
        className={classNames(styles.row, unread && styles.unread)}
        onClick={onOpen}
      >
        <span className={styles.beginning}>{message.message}</span>
        <span className={styles.facts}>
          <span>{formatMoment(locale(), changedAt)}</span>
          <span className={styles.state}>
            {unread ? t('messages.unread') : t(`messages.state.${state}`)}
          </span>
          {fileCount > 0 && (
            <span className={styles.state}>
              <Paperclip size={16} aria-hidden="true" />
              {t('messages.files', { count: fileCount })}
            </span>
          )}
        </span>
      </button>
    </li>
  );
}
