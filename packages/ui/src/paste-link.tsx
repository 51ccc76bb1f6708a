import { linksIn } from '@clinic/domain';
import { type FormEvent, useId, useState } from 'react';
import { Button } from './button.tsx';
import { ErrorSummary } from './error-summary.tsx';
import styles from './paste-link.module.css';
import { TextArea } from './text-area.tsx';

export interface PasteLinkWords {
  readonly label: string;
  readonly hint: string;
  readonly open: string;
  /** Nothing that was pasted is a link of ours. */
  readonly none: string;
  readonly several: string;
  /** What was pasted is the link of this page. */
  readonly same: string;
}

interface PasteLinkProps {
  words: PasteLinkWords;
  /** The path, query and fragment of the page. */
  address: string;
  onLink: (address: string) => void;
}

/** Takes a mailed link that did not arrive whole by itself: pasted alone, or with the email around it. */
export function PasteLink({ words, address, onLink }: PasteLinkProps) {
  const id = useId();
  const [pasted, setPasted] = useState('');
  const [failed, setFailed] = useState({ message: '', attempt: 0 });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const [link, another] = linksIn(pasted);
    const wrong =
      (link === undefined && words.none) ||
      (another !== undefined && words.several) ||
      (link?.address === address && words.same);
    if (wrong) setFailed(({ attempt }) => ({ message: wrong, attempt: attempt + 1 }));
    else if (link !== undefined) onLink(link.address);
  };
  const errors = failed.message === '' ? [] : [{ fieldId: id, message: failed.message }];
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <ErrorSummary errors={errors} attempt={failed.attempt} />
      <TextArea
        id={id}
        label={words.label}
        hint={words.hint}
        error={failed.message}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={pasted}
        onChange={(value) => {
          setPasted(value);
          setFailed(({ attempt }) => ({ message: '', attempt }));
        }}
      />
      <Button type="submit" variant="secondary" wide>
        {words.open}
      </Button>
    </form>
  );
}
