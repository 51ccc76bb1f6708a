import { NOBODY, forgetDrafts, useDraft as useDraftOf } from '@clinic/app/drafts';
import { onSessionEnd, useSession } from './session/session.ts';

// After a session that ended by itself they wait for the same patient.
onSessionEnd(({ why }) => forgetDrafts(why === 'loggedOut' ? undefined : NOBODY));

/** The unfinished input of a form of this patient, or visitor. */
export function useDraft<Draft>(form: string, empty: Draft) {
  const session = useSession();
  return useDraftOf(form, empty, session.state === 'signedIn' ? session.user.id : NOBODY);
}
