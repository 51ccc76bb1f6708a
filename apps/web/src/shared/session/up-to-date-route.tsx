import { Navigate, Outlet } from 'react-router';
import { useUser } from './session.ts';

/** Who is asked to look over their information does that before anything else here. */
export function UpToDateRoute() {
  return useUser().shouldUpdate ? <Navigate to="/account" replace /> : <Outlet />;
}
