import { useEffect } from 'react';
import { type Store, createStore, useStore } from './store.ts';

/** Whose drafts they are before anybody has signed in, and where drafts end with the session anyway. */
export const NOBODY = '';

/** Unfinished input, by owner and form. It outlives the page of its form; the browser's storage never has it. */
const drafts = new Map<string, Map<string, Store<unknown>>>();

/** Ends the drafts of `owner`, or all. */
export function forgetDrafts(owner?: string): void {
  for (const [each, forms] of drafts)
    if (owner === undefined || owner === each)
      for (const draft of forms.values()) draft.set(undefined);
}

/** Where the draft of a form is kept; undefined for none. */
export function draftOf(form: string, owner = NOBODY): Store<unknown> {
  // Whoever has signed in ends the drafts of everybody before.
  if (owner !== NOBODY)
    for (const other of drafts.keys()) if (other !== owner) drafts.delete(other);
  const forms = drafts.get(owner) ?? new Map<string, Store<unknown>>();
  drafts.set(owner, forms);
  const draft = forms.get(form) ?? createStore<unknown>(undefined);
  forms.set(form, draft);
  return draft;
}

/** State that is kept while another page is open, such as what a form holds; `empty` where nothing is kept. */
export function useDraft<Value>(
  form: string,
  empty: Value,
  owner = NOBODY,
): readonly [Value, (next: Value | ((now: Value) => Value)) => void] {
  const draft = draftOf(form, owner);
  // Each form has one type of draft.
  const valueOf = (kept: unknown) => (kept === undefined ? empty : (kept as Value));
  return [
    valueOf(useStore(draft)),
    (next) =>
      draft.set(
        typeof next === 'function' ? (next as (now: Value) => Value)(valueOf(draft.get())) : next,
      ),
  ];
}

/** Has the browser ask before it leaves a page with something unsaved. */
export function useLeaveWarning(isUnsaved: boolean): void {
  // Only the window hears that the page is about to go.
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isUnsaved]);
}
