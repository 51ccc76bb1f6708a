import { Navigate, Outlet, useLocation } from 'react-router';
import { keptOrigin } from './same-origin-path.ts';
import { SessionAwaited } from './session-awaited.tsx';
import { useSession } from './session.ts';

/** Pages for signed-in patients; others go to the login and come back here after it (§2 Routes). */
export function PrivateRoute() {
  const session = useSession();
  const location = useLocation();
  switch (session.state) {
    case 'signedIn':
      return <Outlet />;
    case 'loading':
    case 'unreachable':
      return <SessionAwaited session={session} />;
    case 'signedOut': {
      const origin = keptOrigin(location.state) ?? location.pathname + location.search;
      const from = session.end?.why === 'loggedOut' ? null : origin;
      return <Navigate to="/login" replace state={{ from }} />;
    }
  }
}
