import { brokeOff } from '@clinic/contract/broke-off';
import { askedNow, outcomeComes } from '@clinic/ui/focus';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { ApiError, isUnknown } from './api-error.ts';

export interface ActionSettings<Result, Input> {
  /** Calls the service. Sent again, a change must send the same: `key` stays the same until its outcome is known. */
  readonly work: (input: Input, key: string) => Promise<Result>;
  /** The name under which keys are kept for a form that is left and opened again. */
  readonly keptAs?: string;
  /** The action stays pending until a promise returned here has settled. */
  readonly onDone?: (result: Result, input: Input) => unknown;
  readonly onFailed?: (error: Error, input: Input) => unknown;
  /** What is told if the page was left by the time that it fails. */
  readonly afterLeaving?: (error: Error, input: Input) => string;
  /** The queries that show what is so. They are asked anew however a change ends. */
  readonly shows?: readonly QueryKey[];
  /** What is said where it is not known whether a change was made. */
  readonly unknown?: string;
  /** False where the input only looks at something. */
  readonly changes?: (input: Input) => boolean;
  readonly mutationKey?: QueryKey;
  readonly gcTime?: number;
}

export interface Action<Result, Input> {
  /** Does nothing while an earlier press is pending, however soon the second press comes. */
  readonly run: (input: Input) => void;
  readonly pending: boolean;
  /** The input of the last press. */
  readonly input: Input | undefined;
  readonly done: boolean;
  readonly result: Result | undefined;
  /** The error of the last press, for `Outcome`; reset to null by the next press. */
  readonly error: Error | null;
  /** It is not known whether the change was made. */
  readonly isUnknown: boolean;
  /** Changes with every press. */
  readonly press: number;
  /** Resets the action, as if nothing had been pressed. */
  readonly forget: () => void;
}

/** A press, as the app follows it. */
interface Followed {
  /** Its person has signed out: neither they nor the next one hear of the outcome. */
  readonly isOver?: () => boolean;
  /** Says elsewhere why it failed, if its page was left; `isHere` while what was pressed is still shown. */
  readonly tell: (says: string, isHere: boolean) => void;
  /** Called once the service has answered, or has not. */
  readonly end?: () => void;
}

/** What an app does around its presses. */
interface Around {
  readonly follow: () => Followed;
  /** Does the work of a change, for which the page may have to stay. */
  readonly whileUnderWay?: <Result>(work: () => Promise<Result>) => Promise<Result>;
  readonly newKey?: () => string;
  /** For actions that do not say it themselves. */
  readonly unknown?: () => string;
  readonly afterLeaving?: (error: Error) => string;
}

interface Press<Input = unknown> extends Followed {
  readonly input: Input;
  /** Whether nothing else was pressed since. */
  isAwaited: () => boolean;
}

/** The presses of the page that wait for an answer. */
const waiting = new Set<Press>();

/** For what was pressed in answer to a question of a pending call: it belongs to the press that waits. */
export function stillAwaited(): void {
  for (const press of waiting) press.isAwaited = askedNow();
}

/** The keys of changes whose outcome is not known, of forms that may have been left. */
const kept = new Map<string, string>();
/** For the end of a session. */
export const forgetKeys = (): void => kept.clear();

/** What is sent, as text; a file is known by its name, size and date. */
const asText = (input: unknown): string =>
  JSON.stringify(input, (_, value: unknown) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  ) ?? '';

/** Makes the `useAction` of an app: a press that calls the service. */
export function actionsOf({ follow, whileUnderWay, newKey, ...ofApp }: Around) {
  return function useAction<Result, Input = void>({
    work,
    keptAs,
    onDone,
    onFailed,
    afterLeaving = ofApp.afterLeaving,
    shows = [],
    unknown = ofApp.unknown?.(),
    changes = () => true,
    ...rest
  }: ActionSettings<Result, Input>): Action<Result, Input> {
    const queries = useQueryClient();
    const isHere = useRef(true);
    // A second press can come before React has rendered `pending`.
    const underWay = useRef<Press>(null);
    // What an earlier sending may have done: who is turned away at the door does not hear of that.
    const own = useRef(new Map<string, string>());
    // An answer may come after its page was left.
    useEffect(() => {
      isHere.current = true;
      return () => {
        isHere.current = false;
      };
    }, []);
    const lookAnew = () =>
      Promise.all(shows.map((queryKey) => queries.invalidateQueries({ queryKey })));
    // What is shown from now on may take the focus only from the press that asked for it.
    const tellAwaited = ({ isAwaited }: Press) => {
      if (isHere.current) outcomeComes({ isAwaited: isAwaited() });
    };

    const { mutate, isPending, isSuccess, variables, data, error, submittedAt, reset } =
      useMutation<Result, Error, Press<Input>>({
        ...rest,
        async mutationFn(press) {
          const { input } = press;
          const isChange = changes(input);
          const open = keptAs === undefined ? own.current : kept;
          const sent = unknown === undefined ? '' : `${keptAs ?? ''} ${asText(input)}`;
          const before = open.get(sent);
          const key = before ?? newKey?.() ?? '';
          if (isChange) open.set(sent, key);
          try {
            const result = await (isChange && whileUnderWay
              ? whileUnderWay(() => work(input, key))
              : work(input, key));
            open.delete(sent);
            return result;
          } catch (error) {
            // A passkey that was not shown or a code that was not given says nothing of an earlier sending.
            const isOpen =
              error instanceof ApiError
                ? error.isUnknown || brokeOff(error.heard, before !== undefined)
                : before !== undefined;
            if (!isOpen) open.delete(sent);
            if (!(error instanceof ApiError) || !isChange) throw error;
            // Told without waiting: a service that does not answer does not answer this either.
            void lookAnew();
            if (!isOpen || unknown === undefined) throw error;
            throw new ApiError(
              error.heard,
              error.isUnknown ? unknown : `${unknown} ${error.message}`,
            );
          } finally {
            press.end?.();
            tellAwaited(press);
          }
        },
        onSuccess: (result, { isOver, input }) =>
          isOver?.() ? undefined : onDone?.(result, input),
        onError(failure, { isOver, tell, input }) {
          if (isOver?.()) return undefined;
          if (afterLeaving && changes(input)) tell(afterLeaving(failure, input), isHere.current);
          return onFailed?.(failure, input);
        },
        async onSettled(_, failure, press) {
          if (failure === null && changes(press.input)) await lookAnew();
          // Again: what shows it was read anew in between.
          tellAwaited(press);
          waiting.delete(press);
          if (underWay.current === press) underWay.current = null;
        },
      });
    const run = useCallback(
      (input: Input) => {
        if (underWay.current) return;
        const press = { ...follow(), input, isAwaited: askedNow() };
        underWay.current = press;
        waiting.add(press);
        mutate(press);
      },
      [mutate],
    );
    const forget = useCallback(() => {
      underWay.current = null;
      reset();
    }, [reset]);
    return {
      run,
      pending: isPending,
      input: variables?.input,
      done: isSuccess,
      result: data,
      error,
      isUnknown: isUnknown(error) && variables !== undefined && changes(variables.input),
      press: submittedAt,
      forget,
    };
  };
}
