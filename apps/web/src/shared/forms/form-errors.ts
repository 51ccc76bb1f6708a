import type { FormError } from '@clinic/ui/error-summary';
import { useEffect, useState } from 'react';

/** How long an error text stays beneath its field. */
const FIELD_TEXT_MS = 10_000;

/** An error of one field, or of the whole form when `field` is null. */
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
  /** Value for `ErrorTextsGone` around the fields. */
  readonly textsGone: boolean;
  /** Props for the error summary. */
  readonly attempt: number;
  readonly summary: readonly FormError[];
  readonly errorOf: (field: Name) => string | null;
  readonly idOf: (field: Name) => string;
  /** Shows the errors of a failed attempt; an empty list clears them. */
  readonly show: (errors: readonly FoundError<Name>[]) => void;
  /** Removes the marks and summary lines of fields that the patient edits. */
  readonly edited: (...fields: readonly Name[]) => void;
}

/**
 * Errors of a long form. An attempt shows them all; ten seconds later the texts beneath the fields
 * disappear, while marks and summary stay until the field is edited.
 */
export function useFormErrors<Name extends string>(
  formId: string,
  /** Names the field in the summary, for messages that do not name it themselves. */
  labelOf?: (field: Name) => string,
): FormErrors<Name> {
  const [found, setFound] = useState<Found<Name>>({ attempt: 0, errors: [], textsGone: false });
  const { attempt, errors, textsGone } = found;

  // A timer, which each attempt starts anew.
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
