import { clinicNow } from '@clinic/app/clock';
import { type Privilege, type StaffRole, mayAny, toClinic } from '@clinic/domain';
import type { ReactNode } from 'react';
import { Redirect } from 'wouter';
import { AuditPage } from '../features/audit/audit-page.tsx';
import { DayPage } from '../features/day/day-page.tsx';
import { InboxPage } from '../features/inbox/inbox-page.tsx';
import { SuggestionsPage } from '../features/inbox/suggestions-page.tsx';
import { UnreadCount } from '../features/inbox/unread-count.tsx';
import type { PlainKey } from '../shared/words.ts';
import { MoneyPage } from '../features/money/money-page.tsx';
import { ReportsPage } from '../features/reports/reports-page.tsx';
import { ClosingPage } from '../features/schedule/closing-page.tsx';
import { SchedulePage } from '../features/schedule/schedule-page.tsx';
import { WeekPage } from '../features/schedule/week-page.tsx';
import { Clinic } from '../features/set-up/clinic.tsx';
import { Colleagues } from '../features/set-up/colleagues.tsx';
import { RowForms } from '../features/set-up/row-forms.tsx';
import { SetUpPage } from '../features/set-up/set-up-page.tsx';
import { ClinicTables } from '../features/set-up/tables.tsx';
import { TextEditor } from '../features/set-up/text-editor.tsx';
import { Texts, isTextKind } from '../features/set-up/texts.tsx';
import { PatientPage } from '../features/patients/patient-page.tsx';
import { PatientsPage } from '../features/patients/patients-page.tsx';

interface Screen {
  /** Path of the screen's pages. */
  readonly path: `/${string}`;
  readonly name: PlainKey;
  /** Shown beside the name: the number of new items. */
  readonly count?: ReactNode;
  /** Staff without it neither see nor open the screen. */
  readonly privilege: Privilege;
  /** Staff without it can open the screen but do not see its name: other screens link to its pages. */
  readonly named?: Privilege;
  /** Path that the screen's name links to. */
  readonly start: () => string;
  /** The pages by path below the screen's; `''` is the screen's path itself. */
  readonly pages: Readonly<Record<string, (params: Readonly<Record<string, string>>) => ReactNode>>;
}

/** Every screen of the front desk, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  {
    path: '/day',
    name: 'desk.screen.day',
    privilege: 'daySheet',
    start: () => `/day/${toClinic(clinicNow()).date}`,
    pages: {
      '': () => <Redirect to={`/day/${toClinic(clinicNow()).date}`} replace />,
      '/:date': ({ date = '' }) => <DayPage date={date} key={date} />,
    },
  },
  {
    path: '/patients',
    name: 'desk.screen.patients',
    privilege: 'openPatient',
    named: 'findPatient',
    start: () => '/patients',
    pages: {
      '': () => <PatientsPage />,
      '/:id': ({ id = '' }) => <PatientPage id={id} key={id} />,
    },
  },
  {
    path: '/messages',
    name: 'desk.screen.messages',
    count: <UnreadCount />,
    privilege: 'readMessages',
    start: () => '/messages',
    pages: { '': () => <InboxPage />, '/suggestions': () => <SuggestionsPage /> },
  },
  {
    path: '/schedule',
    name: 'desk.screen.schedule',
    privilege: 'seeSchedule',
    start: () => '/schedule',
    pages: {
      '': () => <SchedulePage />,
      '/closings/:id': ({ id = '' }) => <ClosingPage id={id} key={id} />,
      '/weeks/:providerId': ({ providerId = '' }) => (
        <WeekPage providerId={providerId} key={providerId} />
      ),
    },
  },
  {
    path: '/money',
    name: 'desk.money',
    privilege: 'money',
    start: () => '/money',
    pages: { '': () => <MoneyPage /> },
  },
  {
    path: '/reports',
    name: 'desk.reports',
    privilege: 'reports',
    start: () => '/reports',
    pages: { '': () => <ReportsPage /> },
  },
  {
    path: '/setup',
    name: 'desk.setUp',
    privilege: 'setUp',
    start: () => '/setup',
    pages: {
      '': () => (
        <SetUpPage part="">{({ providers }) => <Colleagues providers={providers} />}</SetUpPage>
      ),
      '/clinic': () => <SetUpPage part="/clinic">{(setUp) => <Clinic {...setUp} />}</SetUpPage>,
      '/texts': () => <SetUpPage part="/texts">{() => <Texts />}</SetUpPage>,
      '/texts/:kind': ({ kind = '' }) => (
        <SetUpPage part="/texts">
          {() => (isTextKind(kind) ? <TextEditor kind={kind} key={kind} /> : <Texts />)}
        </SetUpPage>
      ),
      '/tables': () => (
        <SetUpPage part="/tables">
          {(setUp) => (
            <>
              <RowForms {...setUp} />
              <ClinicTables tables={setUp.tables} />
            </>
          )}
        </SetUpPage>
      ),
    },
  },
  {
    path: '/audit',
    name: 'desk.screen.audit',
    privilege: 'auditTrail',
    start: () => '/audit',
    pages: { '': () => <AuditPage /> },
  },
];

export const screensOf = (roles: readonly StaffRole[]): readonly Screen[] =>
  SCREENS.filter(({ privilege }) => mayAny(roles, privilege));

/** The screens that the navigation shows. */
export const namedScreensOf = (roles: readonly StaffRole[]): readonly Screen[] =>
  screensOf(roles).filter(({ named }) => named === undefined || mayAny(roles, named));
