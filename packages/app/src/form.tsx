import { ErrorSummary, type FormError } from '@clinic/ui/error-summary';
import { ErrorTextsGone } from '@clinic/ui/field';
import { type ComponentProps, useEffect, useId, useState } from 'react';
import { fieldErrorsOf, messageOf } from './api-error.ts';

/** How long an error text stays beneath its field. */
const FIELD_TEXT_MS = 10_000;

/** An error of one field, or of the whole form when `field` is null. */
export interface FoundError<Name extends string> {
  readonly field: Name | null;
  readonly message: string;
}

export interface FormErrors<Name extends string> {
  /** Value for `ErrorTextsGone` around the fields. */
  readonly textsGone: boolean;
  /** Props for the error summary. */
  readonly attempt: number;
  readonly summary: readonly FormError[];
  readonly errorOf: (field: Name) => string | null;
  readonly idOf: (field: Name) => string;
  /** Shows the errors of a failed attempt; an empty list clears them. */
  readonly show: (errors: readonly FoundError<Name>[]) => void;
  /** Removes the marks and summary lines of fields that were edited. */
  readonly edited: (...fields: readonly Name[]) => void;
}

/**
 * Errors of a form. An attempt shows them all; ten seconds later the texts beneath the fields disappear, while marks
 * and summary stay until the field is edited.
 */
export function useFormErrors<Name extends string>(
  formId: string,
  /** Names a field in the summary, for messages that do not name it themselves. */
  labelOf?: (field: Name) => string,
): FormErrors<Name> {
  const [{ attempt, errors, textsGone }, setFound] = useState({
    attempt: 0,
    errors: [] as readonly FoundError<Name>[],
    textsGone: false,
  });

  // A timer, which each attempt starts anew.
  useEffect(() => {
    if (attempt === 0) return undefined;
    const timer = setTimeout(
      () => setFound((now) => (now.attempt === attempt ? { ...now, textsGone: true } : now)),
      FIELD_TEXT_MS,
    );
    return () => clearTimeout(timer);
  }, [attempt]);

  const idOf = (field: Name) => `${formId}-${field}`;
  return {
    textsGone,
    attempt,
    summary: errors.map(({ field, message }) =>
      field === null
        ? { message }
        : { fieldId: idOf(field), message: named(message, labelOf?.(field)) },
    ),
    errorOf: (name) => errors.find(({ field }) => field === name)?.message ?? null,
    idOf,
    show: (next) =>
      setFound((now) => ({ attempt: now.attempt + 1, errors: next, textsGone: false })),
    edited: (...fields) =>
      setFound((now) => {
        const left = now.errors.filter(({ field }) => field === null || !fields.includes(field));
        return left.length === now.errors.length ? now : { ...now, errors: left };
      }),
  };
}

const named = (message: string, label = ''): string =>
  message.includes(label) ? message : `${label}: ${message}`;

/** What every control of a form takes, besides its label. */
export interface ControlProps<Value> {
  readonly id: string;
  readonly error: string | null;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

export interface FormState<
  Values extends object,
  Name extends string = keyof Values & string,
> extends FormErrors<Name> {
  readonly values: Values;
  /** Changes what is typed. Errors of what changed, and of `also`, go. */
  readonly change: (part: Partial<Values>, ...also: readonly Name[]) => void;
  readonly field: <Field extends keyof Values & Name>(
    name: Field,
    ...also: readonly Name[]
  ) => ControlProps<Values[Field]>;
  /** Shows why sending it failed: at the fields that the service names, else `why`; null is said elsewhere. */
  readonly failed: (
    error: unknown,
    why?: string | null,
    nameOf?: (field: string) => string,
  ) => void;
}

/** State of a form: what is typed, kept by `useState`, `useDraft` or `useFormOver`, and its errors. */
export function useForm<Values extends object, Extra extends string = never>(
  [values, update]: readonly [Values, (change: (now: Values) => Values) => void],
  labelOf?: (field: (keyof Values & string) | Extra) => string,
): FormState<Values, (keyof Values & string) | Extra> {
  type Name = (keyof Values & string) | Extra;
  const errors = useFormErrors<Name>(useId(), labelOf);
  const change = (part: Partial<Values>, ...also: readonly Name[]) => {
    const names = (Object.keys(part) as (keyof Values & string)[]).filter(
      (name) => part[name] !== values[name],
    );
    update((now) => ({ ...now, ...part }));
    errors.edited(...names, ...also);
  };
  return {
    ...errors,
    values,
    change,
    field: (name, ...also) => ({
      id: errors.idOf(name),
      error: errors.errorOf(name),
      value: values[name],
      onChange: (value) => change({ [name]: value } as unknown as Partial<Values>, ...also),
    }),
    failed(error, why = messageOf(error), nameOf = (field) => field) {
      const found = fieldErrorsOf(error).map(({ field, message }) => {
        const name = nameOf(field);
        return { field: name in values ? (name as Name) : null, message };
      });
      if (found.length === 0 && why !== null) errors.show([{ field: null, message: why }]);
      else errors.show(found);
    },
  };
}

interface FormProps<Name extends string> extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  of: Pick<FormErrors<Name>, 'attempt' | 'summary' | 'textsGone' | 'show'>;
  /** What was sent before is pending still: a press does nothing. */
  pending: boolean;
  /** What is wrong with what is typed, which keeps it from being sent. */
  check: () => readonly FoundError<Name>[];
  onSend: () => void;
  /** The texts beneath the fields do not disappear. */
  textsStay?: boolean;
}

/** Fields under the list of what is wrong with them, which takes the focus as it comes. */
export function Form<Name extends string>({
  of: { attempt, summary, textsGone, show },
  pending,
  check,
  onSend,
  textsStay = false,
  children,
  ...rest
}: FormProps<Name>) {
  return (
    <form
      {...rest}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (pending) return;
        const wrong = check();
        show(wrong);
        if (wrong.length === 0) onSend();
      }}
    >
      <ErrorSummary errors={summary} attempt={attempt} />
      <ErrorTextsGone value={textsGone && !textsStay}>{children}</ErrorTextsGone>
    </form>
  );
}
