import { LoadState } from '@clinic/app/outcome';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiSetUp } from '@clinic/contract';
import { deskPages } from '@clinic/domain';
import { ask } from '../../shared/api.ts';
import { Page } from '../../shared/page.tsx';
import { Tabs } from '../../shared/tabs.tsx';
import { t } from '../../shared/words.ts';

export const setUpQuery = queryOptions({
  queryKey: ['set-up'],
  queryFn: async () => (await ask('deskSetUp', {})).extras,
});

const PARTS = {
  [deskPages.setUp]: 'desk.setUp.staff',
  [deskPages.clinic]: 'desk.setUp.clinic',
  [deskPages.texts]: 'desk.setUp.texts',
  [deskPages.tables]: 'desk.setUp.tables',
} as const;

interface SetUpPageProps {
  part: keyof typeof PARTS;
  children: (setUp: ApiSetUp) => ReactNode;
}

/** The frame of each part of the set-up. */
export function SetUpPage({ part, children }: SetUpPageProps) {
  const setUp = useQuery(setUpQuery);
  return (
    <Page
      title={t('desk.setUp')}
      beside={<Tabs label={t('desk.setUp.parts')} tabs={PARTS} current={part} />}
    >
      <LoadState of={setUp} />
      {setUp.data && children(setUp.data)}
    </Page>
  );
}
