import { type Privilege, type StaffRole, mayAny, toClinic } from '@clinic/domain';
import type { ReactNode } from 'react';
import { now } from './api.ts';
import { DayPage } from './day/day-page.tsx';
import type { desk } from './messages/index.ts';

interface Screen {
  /** Under which its pages are. */
  readonly path: `/${string}`;
  readonly name: keyof typeof desk;
  /** Without it the screen is neither named nor opened. */
  readonly privilege: Privilege;
  /** Where its name leads. */
  readonly start: () => string;
  /** The pages under its path: `''` is the path itself. */
  readonly pages: Readonly<Record<string, (params: Readonly<Record<string, string>>) => ReactNode>>;
}

/** Every screen of the front desk, in the order of their names above each page. */
const SCREENS: readonly Screen[] = [
  {
    path: '/day',
    name: 'desk.screen.day',
    privilege: 'daySheet',
    start: () => `/day/${toClinic(now()).date}`,
    pages: { '/:date': ({ date = '' }) => <DayPage date={date} key={date} /> },
  },
];

export const screensOf = (roles: readonly StaffRole[]): readonly Screen[] =>
  SCREENS.filter(({ privilege }) => mayAny(roles, privilege));
