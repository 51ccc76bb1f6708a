import { LoadingState } from '@clinic/ui/page-states';
import { lazy, Suspense, type ComponentType } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { PaymentReturn } from '../features/booking/payment/payment-return.tsx';
import { TokenLink } from '../features/sign-in/token-link.tsx';
import { loadMessages } from '../messages/t.ts';
import { PrivateRoute, PublicOnlyRoute, UpToDateRoute } from '../shared/session/guarded-routes.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { loadLogin } from './load-login.ts';
import styles from './routes.module.css';

type Words = Parameters<typeof loadMessages>[0];

/** A page that is fetched, with its words, when somebody goes there. */
function page(load: () => Promise<readonly [ComponentType, Words?]>) {
  return lazy(async () => {
    const [Component, words] = await load();
    await loadMessages(words ?? {});
    return { default: Component };
  });
}

const LoginPage = page(async () => [await loadLogin()]);

const BookingPage = page(async () => {
  const [{ BookingPage }, { booking }, { payment }] = await Promise.all([
    import('../features/booking/booking-page.tsx'),
    import('../messages/en/booking.ts'),
    import('../messages/en/payment.ts'),
  ]);
  return [BookingPage, { booking, payment }];
});

const PaymentSuccessPage = page(async () => {
  const [{ PaymentSuccessPage }, { payment }] = await Promise.all([
    import('../features/booking/payment/payment-success-page.tsx'),
    import('../messages/en/payment.ts'),
  ]);
  return [PaymentSuccessPage, { payment }];
});

const AppointmentsPage = page(async () => {
  const [{ AppointmentsPage }, { appointments }] = await Promise.all([
    import('../features/appointments/appointments-page.tsx'),
    import('../messages/en/appointments.ts'),
  ]);
  return [AppointmentsPage, { appointments }];
});

const WalkInPage = page(async () => {
  const [{ WalkInPage }, { pages }] = await Promise.all([
    import('../features/legal/walk-in-page.tsx'),
    import('../messages/en/pages.ts'),
  ]);
  return [WalkInPage, { pages }];
});

const NotFoundPage = page(async () => {
  const [{ NotFoundPage }, { pages }] = await Promise.all([
    import('./not-found-page.tsx'),
    import('../messages/en/pages.ts'),
  ]);
  return [NotFoundPage, { pages }];
});
const AccountPage = page(async () => {
  const [{ AccountRoute }, { account }] = await Promise.all([
    import('./account-route.tsx'),
    import('../messages/en/account.ts'),
  ]);
  return [AccountRoute, { account }];
});

const RegisterPage = page(async () => [
  (await import('../features/sign-up/register-page.tsx')).RegisterPage,
]);
const ConfirmPage = page(async () => [
  (await import('../features/sign-up/confirm-page.tsx')).ConfirmPage,
]);
const RecoveryPage = page(async () => [
  (await import('../features/recovery/recovery-page.tsx')).RecoveryPage,
]);
const TokenLoginPage = page(async () => [
  (await import('../features/sign-in/token-login-page.tsx')).TokenLoginPage,
]);

/** Every path of the app, and who may see it. */
export function AppRoutes() {
  const [pathname] = useLocation();
  return (
    <ErrorBoundary key={pathname}>
      <Suspense fallback={<PageLoading />}>
        <Switch>
          <Route path="/">
            <PrivateRoute>
              <UpToDateRoute>
                <BookingPage />
              </UpToDateRoute>
            </PrivateRoute>
          </Route>
          <Route path="/appointments">
            <PrivateRoute>
              <UpToDateRoute>
                <AppointmentsPage />
              </UpToDateRoute>
            </PrivateRoute>
          </Route>
          <Route path="/account">
            <PrivateRoute>
              <AccountPage />
            </PrivateRoute>
          </Route>
          <Route path="/booking/payment/success">
            <PaymentReturn>
              <PrivateRoute>
                <PaymentSuccessPage />
              </PrivateRoute>
            </PaymentReturn>
          </Route>
          <Route path="/login">
            <PublicOnlyRoute>
              <LoginPage />
            </PublicOnlyRoute>
          </Route>
          <Route path="/register">
            <PublicOnlyRoute>
              <RegisterPage />
            </PublicOnlyRoute>
          </Route>
          <Route path="/resetPassword">
            <PublicOnlyRoute>
              <RecoveryPage />
            </PublicOnlyRoute>
          </Route>
          <Route path="/auth">
            <TokenLoginPage />
          </Route>
          <Route path="/auth/:token/:selectedAppType?">
            <TokenLink />
          </Route>
          <Route path="/confirm/:token?">
            <ConfirmPage />
          </Route>
          <Route path="/walkin">
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

/** Where a page will be, while it is fetched. */
function PageLoading() {
  return (
    <div className={styles.loading}>
      <LoadingState />
    </div>
  );
}
