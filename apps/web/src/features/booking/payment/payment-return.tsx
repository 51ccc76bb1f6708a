import { Navigate, Outlet, useLocation } from 'react-router';

/** Of no use here, so it is not even kept. */
const CLIENT_SECRET = /(?<=[?&])payment_intent_client_secret=[^&]*&?/g;

/**
 * The way back from the bank. Its query leaves the address at once; what the page needs of it waits
 * in the history's state, through a login as well.
 */
export function PaymentReturn() {
  const { pathname, search } = useLocation();
  if (search === '') return <Outlet />;
  const from = pathname + search.replace(CLIENT_SECRET, '');
  return <Navigate to={pathname} replace state={{ from }} />;
}
