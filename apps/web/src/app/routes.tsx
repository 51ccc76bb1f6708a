import { patientPages } from '@clinic/domain';
import { LoadingState } from '@clinic/ui/page-states';
import { lazy, Suspense, type ComponentType } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { accessToken } from '../api/access-token.ts';
import { PaymentReturn } from '../features/booking/payment/payment-return.tsx';
import { TokenLink } from '../features/sign-in/token-link.tsx';
import { PrivateRoute, PublicOnlyRoute, UpToDateRoute } from '../shared/session/guarded-routes.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import styles from './routes.module.css';

/** A page whose code and words load when it is first visited. */
const page = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }));

const loadBooking = async () => (await import('../features/booking/booking-page.tsx')).BookingPage;
const loadAppointments = async () =>
  (await import('../features/appointments/appointments-page.tsx')).AppointmentsPage;
const loadAccount = async () => (await import('./account-route.tsx')).AccountRoute;

const BookingPage = page(loadBooking);
const AppointmentsPage = page(loadAppointments);
const AccountPage = page(loadAccount);
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
  const loads = new Map<string, () => Promise<unknown>>([
    [patientPages.booking, loadBooking],
    [patientPages.login, loadBooking],
    [patientPages.appointments, loadAppointments],
    [patientPages.account, loadAccount],
  ]);
  const page = loads.get(window.location.pathname);
  // If this fails, the page imports the code again.
  if (page) void Promise.all([page(), import('./patient-shell.tsx')]).catch(() => {});
}

/** Every path of the app, and who may open it. */
export function AppRoutes() {
  const [pathname] = useLocation();
  return (
    <ErrorBoundary key={pathname}>
      <Suspense fallback={<PageLoading />}>
        <Switch>
          <Route path={patientPages.booking}>
            <PrivateRoute>
              <UpToDateRoute>
                <BookingPage />
              </UpToDateRoute>
            </PrivateRoute>
          </Route>
          <Route path={patientPages.appointments}>
            <PrivateRoute>
              <UpToDateRoute>
                <AppointmentsPage />
              </UpToDateRoute>
            </PrivateRoute>
          </Route>
          <Route path={patientPages.account}>
            <PrivateRoute>
              <AccountPage />
            </PrivateRoute>
          </Route>
          <Route path={patientPages.paid}>
            <PaymentReturn>
              <PrivateRoute>
                <PaymentSuccessPage />
              </PrivateRoute>
            </PaymentReturn>
          </Route>
          <Route path={patientPages.login}>
            <PublicOnlyRoute>
              <LoginPage />
            </PublicOnlyRoute>
          </Route>
          <Route path={patientPages.signUp}>
            <PublicOnlyRoute>
              <RegisterPage />
            </PublicOnlyRoute>
          </Route>
          <Route path={patientPages.recovery}>
            <PublicOnlyRoute>
              <RecoveryPage />
            </PublicOnlyRoute>
          </Route>
          <Route path={patientPages.tokenLogin}>
            <TokenLoginPage />
          </Route>
          <Route path={patientPages.tokenLink}>
            <TokenLink />
          </Route>
          <Route path={patientPages.accountLink}>
            <AccountLinkPage />
          </Route>
          <Route path={patientPages.addressChange}>
            <AddressChangePage />
          </Route>
          <Route path={/^\/confirm(?![\w-])/}>
            <ConfirmPage />
          </Route>
          <Route path={patientPages.walkIn}>
            <WalkInPage />
          </Route>
          <Route>
            <NotFoundPage />
          </Route>
        </Switch>
      </Suspense>
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
