import { later } from '@clinic/app/later';
import { patientPages } from '@clinic/domain';
import { LoadingState } from '@clinic/ui/page-states';
import type { ComponentType, ReactNode } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { accessToken } from '../api/access-token.ts';
import { PaymentReturn } from '../features/booking/payment/payment-return.tsx';
import { TokenLink } from '../features/sign-in/token-link.tsx';
import { PrivateRoute, PublicOnlyRoute, UpToDateRoute } from '../shared/session/guarded-routes.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import styles from './routes.module.css';

/** A page whose code and words load when it is first visited. */
const page = (load: () => Promise<ComponentType>) => later(load, { waiting: <PageLoading /> });

const BookingPage = page(
  async () => (await import('../features/booking/booking-page.tsx')).BookingPage,
);
const AppointmentsPage = page(
  async () => (await import('../features/appointments/appointments-page.tsx')).AppointmentsPage,
);
const AccountPage = page(async () => (await import('./account-route.tsx')).AccountRoute);
const LoginPage = page(async () => (await import('../features/sign-in/login-page.tsx')).LoginPage);
const PaymentSuccessPage = page(
  async () =>
    (await import('../features/booking/payment/payment-success-page.tsx')).PaymentSuccessPage,
);
const RegisterPage = page(
  async () => (await import('../features/sign-up/register-page.tsx')).RegisterPage,
);
const ConfirmPage = page(
  async () => (await import('../features/sign-up/confirm-page.tsx')).ConfirmPage,
);
const AddressChangePage = page(
  async () => (await import('../features/sign-up/address-change-page.tsx')).AddressChangePage,
);
const AccountLinkPage = page(
  async () => (await import('../features/sign-up/account-link-page.tsx')).AccountLinkPage,
);
const RecoveryPage = page(
  async () => (await import('../features/recovery/recovery-page.tsx')).RecoveryPage,
);
const TokenLoginPage = page(
  async () => (await import('../features/sign-in/token-login-page.tsx')).TokenLoginPage,
);
const WalkInPage = page(
  async () => (await import('../features/legal/walk-in-page.tsx')).WalkInPage,
);
const NotFoundPage = page(async () => (await import('./not-found-page.tsx')).NotFoundPage);

/** Preloads the page that a patient arrives at, while the service identifies the patient. */
export function loadPatientPage(): void {
  if (accessToken.get() === null) return;
  const pages = new Map([
    [patientPages.booking, BookingPage],
    [patientPages.login, BookingPage],
    [patientPages.appointments, AppointmentsPage],
    [patientPages.account, AccountPage],
  ]);
  const page = pages.get(window.location.pathname);
  // If this fails, the page imports the code again.
  if (page) void Promise.all([page.bring(), import('./patient-shell.tsx')]).catch(() => {});
}

type Guard = ComponentType<{ children: ReactNode }>;

/** Every path of the app, its page, and who may open it. */
const routes: readonly (readonly [string | RegExp, ComponentType, ...Guard[]])[] = [
  [patientPages.booking, BookingPage, PrivateRoute, UpToDateRoute],
  [patientPages.appointments, AppointmentsPage, PrivateRoute, UpToDateRoute],
  [patientPages.account, AccountPage, PrivateRoute],
  [patientPages.paid, PaymentSuccessPage, PaymentReturn, PrivateRoute],
  [patientPages.login, LoginPage, PublicOnlyRoute],
  [patientPages.signUp, RegisterPage, PublicOnlyRoute],
  [patientPages.recovery, RecoveryPage, PublicOnlyRoute],
  [patientPages.tokenLogin, TokenLoginPage],
  [patientPages.tokenLink, TokenLink],
  [patientPages.accountLink, AccountLinkPage],
  [patientPages.addressChange, AddressChangePage],
  [/^\/confirm(?![\w-])/, ConfirmPage],
  [patientPages.walkIn, WalkInPage],
  [/^/, NotFoundPage],
];

export function AppRoutes() {
  const [pathname] = useLocation();
  return (
    <ErrorBoundary key={pathname}>
      <Switch>
        {routes.map(([path, Page, ...guards]) => (
          <Route key={String(path)} path={path}>
            {guards.reduceRight(
              (page, Guard) => (
                <Guard>{page}</Guard>
              ),
              <Page />,
            )}
          </Route>
        ))}
      </Switch>
    </ErrorBoundary>
  );
}

/** Placeholder while a page loads. */
function PageLoading() {
  return (
    <div className={styles.loading}>
      <LoadingState />
    </div>
  );
}
