import { LoadState } from '@clinic/app/outcome';
import type { ApiInboxMessage } from '@clinic/contract';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { classNames } from '@clinic/ui/class-names';
import { EmptyState } from '@clinic/ui/page-states';
import { SelectField } from '@clinic/ui/select-field';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useSearchParams } from 'wouter';
import { moveByArrows } from '../../shared/arrows.ts';
import { locale, t } from '../../shared/words.ts';
import { type After, WHOSE, inboxQuery } from './inbox-data.ts';
import styles from './inbox.module.css';
import { MessageTabs } from './message-tabs.tsx';
import { ThreadPanel } from './thread-panel.tsx';

/** Patients' messages, the waiting ones first, with the open message beside them. */
export function InboxPage() {
  // The open message is in the address, so that it is open again after a lock.
  const [search, setSearch] = useSearchParams();
  const openId = search.get('message');
  const whose = WHOSE.find((each) => each === search.get('show')) ?? 'all';
  const [after, setAfter] = useState<After | null>(null);
  const inbox = useQuery({ ...inboxQuery(whose, after), placeholderData: keepPreviousData });
  const change = (name: string, value: string | null) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === null) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  const close = () => {
    change('message', null);
    const entry = document.getElementById(`message-${openId}`);
    (entry ?? document.getElementById('main'))?.focus();
  };
  const listed = { openId, onOpen: (id: string) => change('message', id) };
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <div className={styles.head}>
        <h1>{t('desk.screen.messages')}</h1>
        <MessageTabs current="messages" />
      </div>
      <div className={styles.beside}>
        <div className={styles.lists}>
          <SelectField
            label={t('desk.inbox.whose')}
            options={WHOSE.map((each) => ({ value: each, label: t(`desk.inbox.whose.${each}`) }))}
            value={whose}
            onChange={(next) => {
              setAfter(null);
              change('show', next === 'all' ? null : next);
            }}
          />
          <LoadState of={inbox} />
          {inbox.data && (
            <>
              <MessageList
                title={t('desk.inbox.waiting', { n: inbox.data.waiting.length })}
                messages={inbox.data.waiting}
                {...listed}
              />
              {inbox.data.hasMoreWaiting && (
                <p className={styles.soft}>{t('desk.inbox.waitingMore')}</p>
              )}
              <MessageList
                title={t('desk.inbox.settled')}
                messages={inbox.data.settled}
                none={t('desk.inbox.noneSettled')}
                {...listed}
              />
              {(after !== null || inbox.data.next !== null) && (
                <nav className={styles.buttons} aria-label={t('desk.inbox.pages')}>
                  <Button
                    variant="secondary"
                    disabled={after === null}
                    busy={inbox.isPlaceholderData}
                    onClick={() => setAfter(null)}
                  >
                    {t('desk.inbox.newest')}
                  </Button>
                  <Button
                    variant="secondary"
                    disabled={inbox.data.next === null}
                    busy={inbox.isPlaceholderData}
                    onClick={() => setAfter(inbox.data.next)}
                  >
                    {t('desk.inbox.older')}
                  </Button>
                </nav>
              )}
            </>
          )}
        </div>
        {openId === null ? (
          <div className={classNames(styles.panel, styles.nothing)}>
            <EmptyState>{t('desk.inbox.pick')}</EmptyState>
          </div>
        ) : (
          <ThreadPanel id={openId} onClose={close} key={openId} />
        )}
      </div>
    </main>
  );
}

interface MessageListProps {
  title: string;
  messages: readonly ApiInboxMessage[];
  /** Text for an empty list, where its title does not say so. */
  none?: string;
  openId: string | null;
  onOpen: (id: string) => void;
}

function MessageList({ title, messages, none, openId, onOpen }: MessageListProps) {
  const titleId = useId();
  const entered = messages.find(({ id }) => id === openId)?.id ?? messages[0]?.id;
  return (
    <section className={styles.stack} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {messages.length === 0 && none !== undefined && <p className={styles.soft}>{none}</p>}
      <p id={`${titleId}-keys`} hidden>
        {t('desk.inbox.keys')}
      </p>
      {messages.length > 0 && (
        <ul
          className={styles.list}
          aria-label={title}
          aria-describedby={`${titleId}-keys`}
          onKeyDown={moveByArrows}
        >
          {messages.map((message) => (
            <li key={message.id}>
              <Entry
                message={message}
                isOpen={message.id === openId}
                isEntered={message.id === entered}
                onOpen={() => onOpen(message.id)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface EntryProps {
  message: ApiInboxMessage;
  isOpen: boolean;
  isEntered: boolean;
  onOpen: () => void;
}

function Entry({ message: listed, isOpen, isEntered, onOpen }: EntryProps) {
  const { id, patient, state, message, changedAt, isNew, fileCount, assignedTo } = listed;
  return (
    <button
      type="button"
      id={`message-${id}`}
      className={classNames(styles.entry, isOpen && styles.isOpen)}
      data-choice=""
      tabIndex={isEntered ? 0 : -1}
      aria-expanded={isOpen}
      onClick={onOpen}
    >
      <span className={styles.line}>
        <b>{patient}</b>
        <span className={styles.soft}>{formatMoment(locale, changedAt)}</span>
      </span>
      <span className={styles.beginning}>{message}</span>
      <span className={styles.line}>
        {isNew && state === 'waiting' && <b className={styles.new}>{t('desk.inbox.isNew')}</b>}
        <span className={styles.soft}>{t(`desk.inbox.state.${state}`)}</span>
        {assignedTo && (
          <span className={styles.soft}>
            {t('desk.inbox.lookedAfter', { name: assignedTo.name })}
          </span>
        )}
        {fileCount > 0 && (
          <span className={styles.soft}>{t('desk.inbox.files', { n: fileCount })}</span>
        )}
      </span>
    </button>
  );
}
