import { LoadState } from '@clinic/app/outcome';
import type { ApiSuggestion } from '@clinic/contract';
import { formatMoment } from '@clinic/texts';
import { classNames } from '@clinic/ui/class-names';
import { EmptyState } from '@clinic/ui/page-states';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { locale, t } from '../../shared/words.ts';
import { suggestionQuery, suggestionsQuery } from './inbox-data.ts';
import styles from './inbox.module.css';
import { MessageTabs } from './message-tabs.tsx';

/** Suggestions from patients. */
export function SuggestionsPage() {
  const suggestions = useQuery(suggestionsQuery);
  const [openId, setOpen] = useState<string | null>(null);
  const { data } = suggestions;
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <div className={styles.head}>
        <h1>{t('desk.inbox.tab.suggestions')}</h1>
        <MessageTabs current="suggestions" />
      </div>
      <p className={styles.soft}>{t('desk.inbox.suggestionsAbout')}</p>
      <LoadState of={suggestions} />
      {data?.length === 0 && <EmptyState>{t('desk.inbox.noSuggestions')}</EmptyState>}
      {data && data.length > 0 && (
        <ul className={classNames(styles.list, styles.suggestions)}>
          {data.map((each) => (
            <li key={each.id}>
              <Entry
                suggestion={each}
                isOpen={each.id === openId}
                onToggle={() => setOpen(each.id === openId ? null : each.id)}
              />
              {each.id === openId && <Opened id={each.id} />}
            </li>
          ))}
        </ul>
      )}
    </main>
  );
}

interface EntryProps {
  suggestion: ApiSuggestion;
  isOpen: boolean;
  onToggle: () => void;
}

function Entry({ suggestion: { patient, at, isRead, message }, isOpen, onToggle }: EntryProps) {
  return (
    <button
      type="button"
      className={classNames(styles.entry, isOpen && styles.isOpen)}
      aria-expanded={isOpen}
      onClick={onToggle}
    >
      <span className={styles.line}>
        <b>{patient}</b>
        <span className={styles.soft}>{formatMoment(locale, at)}</span>
      </span>
      <span className={styles.beginning}>{message}</span>
      <span className={styles.line}>
        {isRead ? (
          <span className={styles.soft}>{t('desk.inbox.suggestionRead')}</span>
        ) : (
          <b className={styles.new}>{t('desk.inbox.isNew')}</b>
        )}
      </span>
    </button>
  );
}

function Opened({ id }: { id: string }) {
  const opened = useQuery(suggestionQuery(id));
  if (!opened.data) return <LoadState of={opened} />;
  return (
    <div className={styles.said}>
      <p className={styles.text}>{opened.data.message}</p>
      {opened.data.picture !== null && (
        <img
          className={styles.picture}
          src={opened.data.picture}
          alt={t('desk.inbox.suggestionPicture')}
        />
      )}
    </div>
  );
}
