import { clinicNow } from '@clinic/app/clock';
import { pathTo } from '@clinic/app/path-to';
import { type Privilege, type StaffRole, deskPages, mayAny, toClinic } from '@clinic/domain';
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
  /** Path of the screen, with which those of all its pages begin. */
  readonly path: string;
  readonly name: PlainKey;
  /** Shown beside the name: the number of new items. */
  readonly count?: ReactNode;
  /** Staff without it neither see nor open the screen. */
  readonly privilege: Privilege;
  /** Staff without it can open the screen but do not see its name: other screens link to its pages. */
  readonly named?: Privilege;
  /** Path that the screen's name links to, where it is another. */
  readonly start?: () => string;
  readonly pages: Readonly<Record<string, (params: Readonly<Record<string, string>>) => ReactNode>>;
}

const today = () => pathTo(deskPages.day, { date: toClinic(clinicNow()).date });

/** Every screen of the front desk, in the order of the navigation. */
export const SCREENS: readonly Screen[] = [
  {
    path: deskPages.today,
    name: 'desk.screen.day',
    privilege: 'daySheet',
    start: today,
    pages: {
      [deskPages.today]: () => <Redirect to={today()} replace />,
      [deskPages.day]: ({ date = '' }) => <DayPage date={date} key={date} />,
    },
  },
  {
    path: deskPages.patients,
    name: 'desk.screen.patients',
    privilege: 'openPatient',
    named: 'findPatient',
    pages: {
      [deskPages.patients]: () => <PatientsPage />,
      [deskPages.patient]: ({ id = '' }) => <PatientPage id={id} key={id} />,
    },
  },
  {
    path: deskPages.messages,
    name: 'desk.screen.messages',
    count: <UnreadCount />,
    privilege: 'readMessages',
    pages: {
      [deskPages.messages]: () => <InboxPage />,
      [deskPages.suggestions]: () => <SuggestionsPage />,
    },
  },
  {
    path: deskPages.schedule,
    name: 'desk.screen.schedule',
    privilege: 'seeSchedule',
    pages: {
      [deskPages.schedule]: () => <SchedulePage />,
      [deskPages.closing]: ({ id = '' }) => <ClosingPage id={id} key={id} />,
      [deskPages.week]: ({ providerId = '' }) => (
        <WeekPage providerId={providerId} key={providerId} />
      ),
    },
  },
  {
    path: deskPages.money,
    name: 'desk.money',
    privilege: 'money',
    pages: { [deskPages.money]: () => <MoneyPage /> },
  },
  {
    path: deskPages.reports,
    name: 'desk.reports',
    privilege: 'reports',
    pages: { [deskPages.reports]: () => <ReportsPage /> },
  },
  {
    path: deskPages.setUp,
    name: 'desk.setUp',
    privilege: 'setUp',
    pages: {
      [deskPages.setUp]: () => (
        <SetUpPage part={deskPages.setUp}>
          {({ providers }) => <Colleagues providers={providers} />}
        </SetUpPage>
      ),
      [deskPages.clinic]: () => (
        <SetUpPage part={deskPages.clinic}>{(setUp) => <Clinic {...setUp} />}</SetUpPage>
      ),
      [deskPages.texts]: () => <SetUpPage part={deskPages.texts}>{() => <Texts />}</SetUpPage>,
      [deskPages.text]: ({ kind = '' }) => (
        <SetUpPage part={deskPages.texts}>
          {() => (isTextKind(kind) ? <TextEditor kind={kind} key={kind} /> : <Texts />)}
        </SetUpPage>
      ),
      [deskPages.tables]: () => (
        <SetUpPage part={deskPages.tables}>
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
    path: deskPages.audit,
    name: 'desk.screen.audit',
    privilege: 'auditTrail',
    pages: { [deskPages.audit]: () => <AuditPage /> },
  },
];

export const screensOf = (roles: readonly StaffRole[]): readonly Screen[] =>
  SCREENS.filter(({ privilege }) => mayAny(roles, privilege));

/** The screens that the navigation shows. */
export const namedScreensOf = (roles: readonly StaffRole[]): readonly Screen[] =>
  screensOf(roles).filter(({ named }) => named === undefined || mayAny(roles, named));
