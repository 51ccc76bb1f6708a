import { deskPages } from '@clinic/domain';
import { expect, test } from 'vitest';
import { SCREENS, pagesOf } from './screens.tsx';

test('Every page that the service answers with the app is one of a screen, or a person’s own', () => {
  const pages = SCREENS.flatMap(({ path }) => pagesOf(path));
  expect([deskPages.start, ...pages, deskPages.ownSignIn]).toEqual(Object.values(deskPages));
});
