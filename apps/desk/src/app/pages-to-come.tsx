import { later } from '@clinic/app/later';
import { LoadingState } from '@clinic/ui/page-states';
import type { ComponentType } from 'react';
import { MissingPart } from '../shared/missing-part.tsx';
import { Page } from '../shared/page.tsx';

/** A page whose code is fetched when it is first shown. */
export const laterPage = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  later(load, { waiting: <LoadingPage />, Missing: MissingPage });

/** Every page but the day sheet: together they are one file. */
export const OtherPage = laterPage(async () => (await import('./other-page.tsx')).OtherPage);

function LoadingPage() {
  return (
    <Page>
      <LoadingState />
    </Page>
  );
}

function MissingPage() {
  return (
    <Page>
      <MissingPart title="h1" />
    </Page>
  );
}
