import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { onSessionEnd, useSession } from './session/session.ts';
import { createStore, useStore, type Store } from '@clinic/app/store';

type DraftsOfAccount = Map<string, Store<unknown>>;

/** Visitors have drafts as well, such as the sign-up form. */
const VISITOR = '';

// Drafts outlive the pages with the forms, and last as long as the query client.
const kept = new WeakMap<QueryClient, Map<string, DraftsOfAccount>>();

/**
 * The unfinished input of `form`, null when there is none. A draft belongs to the account: it waits
 * for the same patient after a session that expired, and is dropped at a logout or when somebody
 * else signs in. Drafts are never put into the browser's storage.
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
  // Each form name has one type of draft.
  return draft as Store<Draft | null>;
}

/**
 * The draft of a form, its setter, and a getter for whoever asks later; null when the draft is finished
 * or dropped.
 */
export function useDraft<Draft>(
  form: string,
): readonly [Draft | null, (draft: Draft | null) => void, () => Draft | null] {
  const session = useSession();
  const account = session.state === 'signedIn' ? session.user.id : null;
  const draft = draftOf<Draft>(useQueryClient(), account, form);
  return [useStore(draft), draft.set, draft.get];
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
