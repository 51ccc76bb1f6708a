import { mayAny, deskPages } from '@clinic/domain';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { sessionQuery } from '../../shared/api.ts';
import { t } from '../../shared/words.ts';
import styles from './inbox.module.css';

/** Tabs for messages and suggestions; absent for staff who may not read suggestions. */
export function MessageTabs({ current }: { current: 'messages' | 'suggestions' }) {
  const { data: session } = useQuery(sessionQuery);
  if (!mayAny(session?.roles ?? [], 'readSuggestions')) return null;
  const tabs = [
    ['messages', deskPages.messages],
    ['suggestions', deskPages.suggestions],
  ] as const;
  return (
    <nav aria-label={t('desk.inbox.tabs')}>
      <ul className={styles.tabs}>
        {tabs.map(([tab, path]) => (
          <li key={tab}>
            <Link href={path} aria-current={tab === current ? 'page' : undefined}>
              {t(`desk.inbox.tab.${tab}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
