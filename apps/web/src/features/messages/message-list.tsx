import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ApiMessage } from '@clinic/contract';
import { formatAppointment } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { classNames } from '@clinic/ui/class-names';
import { EmptyState, FailedState, LoadingState } from '@clinic/ui/page-states';
import { Paperclip } from 'lucide-react';
import { t } from '../../messages/t.ts';
import { PAGE_SIZE, listQuery } from './messages-data.ts';
import styles from './messages.module.css';

interface MessageListProps {
  skip: number;
  onSkip: (skip: number) => void;
  onOpen: (id: string) => void;
}

/** The messages, twenty at a time. */
export function MessageList({ skip, onSkip, onOpen }: MessageListProps) {
  const list = useQuery({ ...listQuery(skip), placeholderData: keepPreviousData });
  if (list.isError && !list.data)
    return <FailedState onRetry={() => void list.refetch()} busy={list.isFetching} />;
  if (!list.data) return <LoadingState />;
  const { messages, total } = list.data;
  if (total === 0) return <EmptyState>{t('messages.empty')}</EmptyState>;
  const last = skip + messages.length;
  return (
    <>
      <ul className={styles.list} aria-label={t('messages.list')}>
        {messages.map((message) => (
          <Row key={message.id} message={message} onOpen={() => onOpen(message.id)} />
        ))}
      </ul>
      {total > PAGE_SIZE && (
        <nav className={styles.paging} aria-label={t('messages.list')}>
          <Button
            variant="secondary"
            disabled={skip === 0}
            onClick={() => onSkip(Math.max(0, skip - PAGE_SIZE))}
          >
            {t('messages.newer')}
          </Button>
          <span role="status">{t('messages.range', { from: skip + 1, to: last, total })}</span>
          <Button
            variant="secondary"
            disabled={last >= total}
            onClick={() => onSkip(skip + PAGE_SIZE)}
          >
            {t('messages.older')}
          </Button>
        </nav>
      )}
    </>
  );
}

function Row({ message, onOpen }: { message: ApiMessage; onOpen: () => void }) {
  const { state, unread, fileCount, changedAt } = message;
  return (
    <li>
      <button
        type="button"
        data-private=""
        className={classNames(styles.row, unread && styles.unread)}
        onClick={onOpen}
      >
        <span className={styles.beginning}>{message.message}</span>
        <span className={styles.facts}>
          <span>{formatAppointment(changedAt)}</span>
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
