import { Navigate, Outlet, useLocation } from 'react-router';
import { keptOrigin } from './same-origin-path.ts';
import { SessionAwaited } from './session-awaited.tsx';
import { useSession } from './session.ts';

/** Pages for visitors; who is signed in goes to the remembered origin, else home. */
export function PublicOnlyRoute() {
  const session = useSession();
  const location = useLocation();
  switch (session.state) {
    case 'signedOut':
      return <Outlet />;
    case 'signedIn':
      return <Navigate to={keptOrigin(location.state) ?? '/'} replace />;
    case 'loading':
    case 'unreachable':
      return <SessionAwaited session={session} />;
  }
}
