import { CircleAlert } from 'lucide-react';
import { createContext, useContext, useId, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './field.module.css';
import hidden from './visually-hidden.module.css';
import { VisuallyHidden } from './visually-hidden.tsx';
import { useWords } from './words.tsx';

/** True when a form's error texts have been shown long enough: the marks and the summary stay. */
export const ErrorTextsGone = createContext(false);

/** The attributes that tie a control to its label, hint and error. Spread them on the control. */
interface FieldWiring {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': true | undefined;
}

export interface FieldWords {
  label: ReactNode;
  /** One plain line beneath the label. */
  hint?: ReactNode;
  /** What is wrong, beneath the control. */
  error?: string | null | undefined;
  /** Says '(optional)' beside the label. */
  optional?: boolean;
}

/** A field that may stand without its label. */
export interface LabelHidden {
  /** Hides the label except from screen readers, where what stands in the field says enough. */
  hideLabel?: boolean | undefined;
}

interface FieldProps extends FieldWords, LabelHidden {
  /** Set by the form when an error summary links to the control. */
  id?: string | undefined;
  /** The text, and how many characters of it fit. More can be entered: a text that is cut means something else. */
  fits?: { text: string; most: number | undefined };
  /** Shown beneath the control, such as a counter; its id is added to the control's description. */
  footer?: { id: string; content: ReactNode };
  children: (wiring: FieldWiring) => ReactNode;
}

/** Label, hint beneath it, control, error. Every single control is wrapped in a Field. */
export function Field({
  label,
  hint,
  error: found,
  optional,
  hideLabel,
  id,
  fits,
  footer,
  children,
}: FieldProps) {
  const words = useWords();
  const over = fits === undefined ? 0 : fits.text.length - (fits.most ?? Infinity);
  const error = found || (over > 0 ? words.charactersOver(over) : null);
  const wiring = useFieldWiring({ id, hint, error, footerId: footer?.id });
  return (
    <div className={classNames(styles.field, Boolean(error) && styles.invalid)}>
      <label className={hideLabel ? hidden.hidden : styles.label} htmlFor={wiring.id}>
        {label} {optional && <span className={styles.optional}>{words.optional}</span>}
      </label>
      <Hint wiring={wiring}>{hint}</Hint>
      {children(wiring)}
      {footer && (
        <div className={styles.footer} id={footer.id}>
          {footer.content}
        </div>
      )}
      <FieldError wiring={wiring} error={error} />
    </div>
  );
}

interface FieldGroupProps extends FieldWords {
  id?: string | undefined;
  /** Hides the legend except from screen readers, for use below a heading that says the same. */
  hideLegend?: boolean | undefined;
  children: (wiring: FieldWiring) => ReactNode;
}

/** Like Field, for a group of radios or checkboxes: a fieldset with its legend. */
export function FieldGroup({
  label,
  hint,
  error,
  optional,
  id,
  hideLegend,
  children,
}: FieldGroupProps) {
  const words = useWords();
  const wiring = useFieldWiring({ id, hint, error });
  return (
    <fieldset
      className={classNames(styles.field, Boolean(error) && styles.invalid)}
      aria-describedby={wiring['aria-describedby']}
    >
      <legend className={styles.label}>
        {hideLegend ? <VisuallyHidden>{label}</VisuallyHidden> : label}{' '}
        {optional && <span className={styles.optional}>{words.optional}</span>}
      </legend>
      <Hint wiring={wiring}>{hint}</Hint>
      {children(wiring)}
      <FieldError wiring={wiring} error={error} />
    </fieldset>
  );
}

interface WiringParts {
  id?: string | undefined;
  hint?: ReactNode;
  error?: string | null | undefined;
  footerId?: string | undefined;
}

function useFieldWiring({ id: given, hint, error, footerId }: WiringParts): FieldWiring {
  const own = useId();
  const id = given ?? own;
  const told = useContext(ErrorTextsGone) ? null : error;
  const describedBy = [hint && `${id}-hint`, told && `${id}-error`, footerId].filter(Boolean);
  return {
    id,
    'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
    'aria-invalid': error ? true : undefined,
  };
}

function Hint({ wiring, children }: { wiring: FieldWiring; children: ReactNode }) {
  if (!children) return null;
  return (
    <p className={styles.hint} id={`${wiring.id}-hint`}>
      {children}
    </p>
  );
}

function FieldError({ wiring, error }: { wiring: FieldWiring; error: string | null | undefined }) {
  const words = useWords();
  if (useContext(ErrorTextsGone) || !error) return null;
  return (
    <p className={styles.error} id={`${wiring.id}-error`}>
      <CircleAlert size={18} aria-hidden="true" />
      <span>
        <VisuallyHidden>{words.error}</VisuallyHidden> {error}
      </span>
    </p>
  );
}
