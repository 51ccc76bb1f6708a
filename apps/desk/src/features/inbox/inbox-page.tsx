import { LoadState } from '@clinic/app/outcome';
import type { ApiInboxMessage } from '@clinic/contract';
import { deskPages } from '@clinic/domain';
import { classNames } from '@clinic/ui/class-names';
import { focusByPress } from '@clinic/ui/focus';
import { EmptyState } from '@clinic/ui/page-states';
import { SelectField } from '@clinic/ui/select-field';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useSearchParams } from 'wouter';
import { moveByArrows } from '../../shared/arrows.ts';
import { Page } from '../../shared/page.tsx';
import { Pager } from '../../shared/pager.tsx';
import panel from '../../shared/side-panel.module.css';
import { t } from '../../shared/words.ts';
import { type After, WHOSE, inboxQuery } from './inbox-data.ts';
import styles from './inbox.module.css';
import { ListEntry } from './list-entry.tsx';
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
    focusByPress(entry ?? document.getElementById('main'));
  };
  const listed = { openId, onOpen: (id: string) => change('message', id) };
  return (
    <Page
      size="wide"
      title={t('desk.screen.messages')}
      beside={<MessageTabs current={deskPages.messages} />}
    >
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
                <Pager
                  label={t('desk.inbox.pages')}
                  after={after}
                  next={inbox.data.next}
                  busy={inbox.isPlaceholderData}
                  onTurn={setAfter}
                />
              )}
            </>
          )}
        </div>
        {openId === null ? (
          <div className={classNames(panel.panel, styles.nothing)}>
            <EmptyState>{t('desk.inbox.pick')}</EmptyState>
          </div>
        ) : (
          <ThreadPanel id={openId} onClose={close} key={openId} />
        )}
      </div>
    </Page>
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
              <ListEntry
                id={`message-${message.id}`}
                tabIndex={message.id === entered ? 0 : -1}
                patient={message.patient}
                at={message.changedAt}
                message={message.message}
                isOpen={message.id === openId}
                onPress={() => onOpen(message.id)}
              >
                <Standing of={message} />
              </ListEntry>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** How a message stands: whether it is new, answered, looked after, and has files. */
function Standing({ of: { state, isNew, fileCount, assignedTo } }: { of: ApiInboxMessage }) {
  const says = [
    t(`desk.inbox.state.${state}`),
    assignedTo && t('desk.inbox.lookedAfter', { name: assignedTo.name }),
    fileCount > 0 && t('desk.inbox.files', { n: fileCount }),
  ];
  return (
    <>
      {isNew && state === 'waiting' && <b className={styles.new}>{t('desk.inbox.isNew')}</b>}
      {says.map(
        (each) =>
          each && (
            <span key={each} className={styles.soft}>
              {each}
            </span>
          ),
      )}
    </>
  );
}
