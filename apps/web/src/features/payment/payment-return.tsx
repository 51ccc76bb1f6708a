import { Navigate, Outlet, useLocation } from 'react-router';
import { originOfReturn } from './payment-intent.ts';

/**
 * The way back from the bank (§2 Routes). Its query leaves the address at once; what the page needs of
 * it waits in the history's state, through a login as well.
 */
export function PaymentReturn() {
  const { pathname, search } = useLocation();
  if (search === '') return <Outlet />;
  return <Navigate to={pathname} replace state={{ from: originOfReturn(pathname, search) }} />;
}
