import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { onSessionEnd, useSession } from './session/session.ts';
import { createStore, useStore, type Store } from './store.ts';

type DraftsOfAccount = Map<string, Store<unknown>>;

/** Who has not signed in has drafts as well, such as the sign-up form. */
const VISITOR = '';

// Outlives the pages with the forms; with its client it goes.
const kept = new WeakMap<QueryClient, Map<string, DraftsOfAccount>>();

/**
 * What somebody typed into `form` and did not finish, null when there is nothing. It belongs to the
 * account: it waits for the same patient after a session that ended by itself, and is gone after a
 * logout or once somebody else signs in. Nothing of it is kept in the browser's storage.
 */
export function draftOf<Draft>(
  queryClient: QueryClient,
  account: string | null,
  form: string,
): Store<Draft | null> {
  const accounts = accountsOf(queryClient);
  const owner = account ?? VISITOR;
  if (owner !== VISITOR)
    for (const other of accounts.keys()) if (other !== owner) accounts.delete(other);
  const drafts = accounts.get(owner) ?? new Map<string, Store<unknown>>();
  accounts.set(owner, drafts);
  const draft = drafts.get(form) ?? createStore<unknown>(null);
  drafts.set(form, draft);
  // The form's name stands for the type of its draft.
  return draft as Store<Draft | null>;
}

/** The draft of a form, and how a change of it is kept; null when it is finished or dropped. */
export function useDraft<Draft>(
  form: string,
): readonly [Draft | null, (draft: Draft | null) => void] {
  const session = useSession();
  const account = session.state === 'signedIn' ? session.user.id : null;
  const draft = draftOf<Draft>(useQueryClient(), account, form);
  return [useStore(draft), draft.set];
}

function accountsOf(queryClient: QueryClient): Map<string, DraftsOfAccount> {
  const known = kept.get(queryClient);
  if (known) return known;
  const accounts = new Map<string, DraftsOfAccount>();
  kept.set(queryClient, accounts);
  onSessionEnd(({ why }) => {
    if (why === 'loggedOut') accounts.clear();
    else accounts.delete(VISITOR);
  });
  return accounts;
}
