import { Redirect, useParams } from 'wouter';

/**
 * The link of the clinic's dashboard, /auth/{token}/{selectedAppType}. The token leaves the address
 * at once; what the page needs waits in the history's state, so that a reload may try again while
 * the link is good.
 */
export function TokenLink() {
  const { token, selectedAppType = null } = useParams();
  return <Redirect to="/auth" replace state={{ link: { token, selectedAppType } }} />;
}
