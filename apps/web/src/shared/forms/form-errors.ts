import type { FormError } from '@clinic/ui/error-summary';
import { useEffect, useState } from 'react';

/** The text beneath a field goes after ten seconds. */
const FIELD_TEXT_MS = 10_000;

/** What is wrong with one field, or with the whole form where no field is named. */
export interface FoundError<Name extends string> {
  readonly field: Name | null;
  readonly message: string;
}

interface Found<Name extends string> {
  readonly attempt: number;
  readonly errors: readonly FoundError<Name>[];
  readonly textsGone: boolean;
}

export interface FormErrors<Name extends string> {
  /** For `ErrorTextsGone` around the fields. */
  readonly textsGone: boolean;
  /** For the summary. */
  readonly attempt: number;
  readonly summary: readonly FormError[];
  readonly errorOf: (field: Name) => string | null;
  readonly idOf: (field: Name) => string;
  /** A failed attempt; an empty list where there is nothing to say any more. */
  readonly show: (errors: readonly FoundError<Name>[]) => void;
  /** The patient mends these: their marks and their lines in the summary go. */
  readonly edited: (...fields: readonly Name[]) => void;
}

/**
 * The errors of a long form: all are shown after an attempt; ten seconds later the texts beneath
 * the fields go, while marks and summary stay until the field is edited.
 */
export function useFormErrors<Name extends string>(
  formId: string,
  /** Given where a message does not say which field it is about: its line in the summary does. */
  labelOf?: (field: Name) => string,
): FormErrors<Name> {
  const [found, setFound] = useState<Found<Name>>({ attempt: 0, errors: [], textsGone: false });
  const { attempt, errors, textsGone } = found;

  useEffect(() => {
    if (attempt === 0) return;
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

function named(message: string, label = ''): string {
  return message.includes(label) ? message : `${label}: ${message}`;
}
