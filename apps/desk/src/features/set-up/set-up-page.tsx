import { LoadState } from '@clinic/app/outcome';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiSetUp } from '@clinic/contract';
import { deskPages } from '@clinic/domain';
import { Link } from 'wouter';
import { ask } from '../../shared/api.ts';
import styles from '../../shared/office.module.css';
import { Page } from '../../shared/section.tsx';
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
  const parts = Object.keys(PARTS) as (keyof typeof PARTS)[];
  return (
    <Page
      title={t('desk.setUp')}
      beside={
        <nav className={styles.parts} aria-label={t('desk.setUp.parts')}>
          <ul>
            {parts.map((each) => (
              <li key={each}>
                <Link href={each} aria-current={each === part ? 'page' : undefined}>
                  {t(PARTS[each])}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      }
    >
      <LoadState of={setUp} />
      {setUp.data && children(setUp.data)}
    </Page>
  );
}
