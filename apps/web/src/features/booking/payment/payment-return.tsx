import type { ReactNode } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';

/** The page does not use the client secret, so it is not kept. */
const CLIENT_SECRET = /(?<=[?&])payment_intent_client_secret=[^&]*&?/g;

/**
 * The return from the bank. Its query leaves the address at once; the parameters that the page
 * needs wait in the history's state, even through a login.
 */
export function PaymentReturn({ children }: { children: ReactNode }) {
  const [pathname] = useLocation();
  const search = useSearch();
  if (search === '') return children;
  const from = `${pathname}?${search}`.replace(CLIENT_SECRET, '');
  return <Redirect to={pathname} replace state={{ from }} />;
}
