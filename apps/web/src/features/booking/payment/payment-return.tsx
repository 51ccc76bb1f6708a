import type { ReactNode } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';

/** Of no use here, so it is not even kept. */
const CLIENT_SECRET = /(?<=[?&])payment_intent_client_secret=[^&]*&?/g;

/**
 * The way back from the bank. Its query leaves the address at once; what the page needs of it waits
 * in the history's state, through a login as well.
 */
export function PaymentReturn({ children }: { children: ReactNode }) {
  const [pathname] = useLocation();
  const search = useSearch();
  if (search === '') return children;
  const from = `${pathname}?${search}`.replace(CLIENT_SECRET, '');
  return <Redirect to={pathname} replace state={{ from }} />;
}
