import { LoadState } from '@clinic/app/outcome';
import { deskPages } from '@clinic/domain';
import { classNames } from '@clinic/ui/class-names';
import { EmptyState } from '@clinic/ui/page-states';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../shared/api.ts';
import { Page } from '../../shared/page.tsx';
import file from '../../shared/patient-file.module.css';
import { t } from '../../shared/words.ts';
import { suggestionsQuery } from './inbox-data.ts';
import styles from './inbox.module.css';
import { ListEntry } from './list-entry.tsx';
import { MessageTabs } from './message-tabs.tsx';

/** Suggestions from patients. */
export function SuggestionsPage() {
  const suggestions = useQuery(suggestionsQuery);
  const [openId, setOpen] = useState<string | null>(null);
  const { data } = suggestions;
  return (
    <Page
      size="wide"
      title={t('desk.inbox.tab.suggestions')}
      beside={<MessageTabs current={deskPages.suggestions} />}
    >
      <p className={styles.soft}>{t('desk.inbox.suggestionsAbout')}</p>
      <LoadState of={suggestions} />
      {data?.length === 0 && <EmptyState>{t('desk.inbox.noSuggestions')}</EmptyState>}
      {data && data.length > 0 && (
        <ul className={classNames(styles.list, styles.suggestions)}>
          {data.map((each) => (
            <li key={each.id}>
              <ListEntry
                patient={each.patient}
                at={each.at}
                message={each.message}
                isOpen={each.id === openId}
                onPress={() => setOpen(each.id === openId ? null : each.id)}
              >
                {each.isRead ? (
                  <span className={styles.soft}>{t('desk.inbox.suggestionRead')}</span>
                ) : (
                  <b className={styles.new}>{t('desk.inbox.isNew')}</b>
                )}
              </ListEntry>
              {each.id === openId && <Opened id={each.id} />}
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

function Opened({ id }: { id: string }) {
  const opened = useQuery({
    queryKey: ['messages', 'suggestion', id],
    queryFn: async ({ client: queries }) => {
      const { extras } = await ask('deskOpenSuggestion', { params: { id }, body: {} });
      // It has been read now.
      void queries.invalidateQueries({ queryKey: suggestionsQuery.queryKey });
      return extras;
    },
    staleTime: Infinity,
    gcTime: 0,
  });
  if (!opened.data) return <LoadState of={opened} />;
  return (
    <div className={styles.said}>
      <p className={styles.text}>{opened.data.message}</p>
      {opened.data.picture !== null && (
        <img
          className={file.picture}
          src={opened.data.picture}
          alt={t('desk.inbox.suggestionPicture')}
        />
      )}
    </div>
  );
}
