import { DESK_PAGES } from '@clinic/domain';
import { expect, test } from 'vitest';
import { SCREENS } from './screens.tsx';

test('Every page of the front desk is one that the service answers with the app', () => {
  const pages = SCREENS.flatMap((screen) =>
    Object.keys(screen.pages).map((rest) => screen.path + rest),
  );
  expect(['/', ...pages, '/your-sign-in']).toEqual(DESK_PAGES);
});
