import { deskPages } from '@clinic/domain';
import { expect, test } from 'vitest';
import { SCREENS } from './screens.tsx';

test('Every page of the front desk is one that the service answers with the app', () => {
  const pages = SCREENS.flatMap((screen) => Object.keys(screen.pages));
  expect([deskPages.start, ...pages, deskPages.ownSignIn]).toEqual(Object.values(deskPages));
});
