import '../shared/all-words.ts';
import { deskPages } from '@clinic/domain';
import type { ReactNode } from 'react';
import { AuditPage } from '../features/audit/audit-page.tsx';
import { ProviderWeekPage } from '../features/day/week/provider-week-page.tsx';
import { InboxPage } from '../features/inbox/inbox-page.tsx';
import { SuggestionsPage } from '../features/inbox/suggestions-page.tsx';
import { MoneyPage } from '../features/money/money-page.tsx';
import { MyDayPage } from '../features/my-day/my-day-page.tsx';
import { PatientPage } from '../features/patients/patient-page.tsx';
import { PatientsPage } from '../features/patients/patients-page.tsx';
import { PrintPage } from '../features/print/print-page.tsx';
import { ReportsPage } from '../features/reports/reports-page.tsx';
import { ClosingPage } from '../features/schedule/closing-page.tsx';
import { SchedulePage } from '../features/schedule/schedule-page.tsx';
import { WeekPage } from '../features/schedule/week-page.tsx';
import { Clinic } from '../features/set-up/clinic.tsx';
import { Colleagues } from '../features/set-up/colleagues.tsx';
import { OneRow } from '../features/set-up/one-row.tsx';
import { RowForms } from '../features/set-up/row-forms.tsx';
import { SetUpPage } from '../features/set-up/set-up-page.tsx';
import { ClinicTables } from '../features/set-up/tables.tsx';
import { TextEditor } from '../features/set-up/text-editor.tsx';
import { Texts, isTextKind } from '../features/set-up/texts.tsx';
import { OwnSignInPage } from '../features/sign-in/own-sign-in-page.tsx';
import type { PagePath } from './screens.tsx';

/** What stands in the place of `:id` and the like in a page's path. */
export type Params = Readonly<Record<string, string | undefined>>;

type OtherPages = Exclude<PagePath, typeof deskPages.today | typeof deskPages.day>;

const PAGES: Readonly<Record<OtherPages, (params: Params) => ReactNode>> = {
  [deskPages.myDay]: () => <MyDayPage />,
  [deskPages.providerWeek]: ({ providerId = '', date = '' }) => (
    <ProviderWeekPage providerId={providerId} date={date} key={`${providerId} ${date}`} />
  ),
  [deskPages.patients]: () => <PatientsPage />,
  [deskPages.patient]: ({ id = '' }) => <PatientPage id={id} key={id} />,
  [deskPages.messages]: () => <InboxPage />,
  [deskPages.suggestions]: () => <SuggestionsPage />,
  [deskPages.schedule]: () => <SchedulePage />,
  [deskPages.closing]: ({ id = '' }) => <ClosingPage id={id} key={id} />,
  [deskPages.week]: ({ providerId = '' }) => <WeekPage providerId={providerId} key={providerId} />,
  [deskPages.money]: () => <MoneyPage />,
  [deskPages.reports]: () => <ReportsPage />,
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
          <OneRow tables={setUp.tables} />
          <ClinicTables tables={setUp.tables} />
        </>
      )}
    </SetUpPage>
  ),
  [deskPages.audit]: () => <AuditPage />,
  [deskPages.print]: ({ date = '' }) => <PrintPage date={date} key={date} />,
  [deskPages.ownSignIn]: () => <OwnSignInPage />,
};

/** A page of the front desk that is not the day sheet. */
export const OtherPage = ({ page, params }: { page: OtherPages; params: Params }) =>
  PAGES[page](params);
