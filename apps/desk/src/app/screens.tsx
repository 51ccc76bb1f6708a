import { clinicNow } from '@clinic/app/clock';
import { pathTo } from '@clinic/app/path-to';
import { type Privilege, type StaffRole, deskPages, mayAny, toClinic } from '@clinic/domain';
import type { ReactNode } from 'react';
import { UnreadCount } from '../features/inbox/unread-count.tsx';
import type { PlainKey } from '../shared/words.ts';

interface Screen {
  /** Path of the screen, with which those of all its pages begin. */
  readonly path: PagePath;
  /** Absent where other screens lead to it. */
  readonly name?: PlainKey;
  /** Shown beside the name: the number of new items. */
  readonly count?: ReactNode;
  /** Staff without it neither see nor open the screen. */
  readonly privilege: Privilege;
  /** Staff without it can open the screen but do not see its name: other screens link to its pages. */
  readonly named?: Privilege;
  /** Path that the screen's name links to, where it is another. */
  readonly start?: () => string;
}

/** A page of a screen, or a person's own. */
export type PagePath = Exclude<(typeof deskPages)[keyof typeof deskPages], typeof deskPages.start>;

export const today = () => pathTo(deskPages.day, { date: toClinic(clinicNow()).date });

/** Every screen of the front desk, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  { path: deskPages.myDay, name: 'desk.screen.myDay', privilege: 'ownWeek' },
  { path: deskPages.today, name: 'desk.screen.day', privilege: 'daySheet', start: today },
  {
    path: deskPages.patients,
    name: 'desk.screen.patients',
    privilege: 'openPatient',
    named: 'findPatient',
  },
  {
    path: deskPages.messages,
    name: 'desk.screen.messages',
    count: <UnreadCount />,
    privilege: 'readMessages',
  },
  { path: deskPages.schedule, name: 'desk.screen.schedule', privilege: 'seeSchedule' },
  { path: deskPages.money, name: 'desk.money', privilege: 'money' },
  { path: deskPages.reports, name: 'desk.reports', privilege: 'reports' },
  { path: deskPages.setUp, name: 'desk.setUp', privilege: 'setUp' },
  { path: deskPages.audit, name: 'desk.screen.audit', privilege: 'auditTrail' },
  { path: deskPages.print, privilege: 'openAppointment' },
];

/** The pages of the screen at a path. */
export const pagesOf = (path: PagePath): readonly PagePath[] =>
  Object.values(deskPages).filter(
    (page): page is PagePath => page === path || page.startsWith(`${path}/`),
  );

/** Where signing in leads: a clinician who is nothing else to their own day. */
export const firstScreenOf = (roles: readonly StaffRole[]): Screen | undefined =>
  screensOf(roles).find(({ path }) => path !== deskPages.myDay || !mayAny(roles, 'everyProvider'));

export const screensOf = (roles: readonly StaffRole[]): readonly Screen[] =>
  SCREENS.filter(({ privilege }) => mayAny(roles, privilege));

/** The screens that the navigation shows. */
export const namedScreensOf = (roles: readonly StaffRole[]) =>
  screensOf(roles).flatMap(({ name, ...screen }) =>
    name === undefined || (screen.named !== undefined && !mayAny(roles, screen.named))
      ? []
      : [{ ...screen, name }],
  );
