import { patientPages } from '@clinic/domain';
import { Redirect, useParams } from 'wouter';

/**
 * Handles the dashboard's link, /auth/{token}/{selectedAppType}. The token leaves the address at
 * once; the history's state keeps the link, so that a reload can try again while it is valid.
 */
export function TokenLink() {
  const { token, selectedAppType = null } = useParams();
  return (
    <Redirect to={patientPages.tokenLogin} replace state={{ link: { token, selectedAppType } }} />
  );
}
