import { deskPages } from '@clinic/domain';
import { useMay } from '../../shared/may.ts';
import { Tabs } from '../../shared/tabs.tsx';
import { t } from '../../shared/words.ts';

const TABS = {
  [deskPages.messages]: 'desk.screen.messages',
  [deskPages.suggestions]: 'desk.inbox.tab.suggestions',
} as const;

/** Tabs for messages and suggestions; absent for staff who may not read suggestions. */
export function MessageTabs({ current }: { current: keyof typeof TABS }) {
  if (!useMay()('readSuggestions')) return null;
  return <Tabs label={t('desk.inbox.tabs')} tabs={TABS} current={current} />;
}
