import { useState } from 'react';
import { ActionOutcome } from '../action-outcome.tsx';
import { Button } from '../button.tsx';
import { Card } from '../card.tsx';
import { Dialog } from '../dialog.tsx';
import { ErrorSummary, type FormError } from '../error-summary.tsx';
import { Notice } from '../notice.tsx';
import { EmptyState, FailedState, LoadingState, Skeleton } from '../page-states.tsx';
import { Spinner } from '../spinner.tsx';
import { TextField } from '../text-field.tsx';

const failed: readonly FormError[] = [
  { fieldId: 'city', message: 'Enter your city.' },
  { message: 'What concerns the whole form.' },
];

export function Messages() {
  const [press, setPress] = useState(0);
  const [errors, setErrors] = useState<readonly FormError[]>([]);
  return (
    <>
      <Notice title="Information">Framed, and it stays.</Notice>
      <Notice kind="good">Done.</Notice>
      <Notice kind="caution">This cannot be undone.</Notice>
      <Notice kind="danger" title="Not sent">
        We could not send it.
      </Notice>
      <Button onClick={() => setPress(press + 1)}>Show what came of this press</Button>
      <ActionOutcome press={press}>
        {press > 0 && 'Someone else just took this time.'}
      </ActionOutcome>
      <ErrorSummary errors={errors} />
      <TextField id="city" label="City" value="" onChange={() => {}} />
      <Button onClick={() => setErrors([...failed])}>Show what is wrong with a form</Button>
    </>
  );
}

export function Waiting() {
  return (
    <>
      <Card as="article" aria-label="A card">
        <p>A quiet frame around what belongs together.</p>
      </Card>
      <EmptyState action={<Button>Book Appointment</Button>}>You have no appointments.</EmptyState>
      <FailedState onRetry={() => {}} />
      <FailedState onRetry={() => {}} busy>
        This list could not be loaded.
      </FailedState>
      <LoadingState />
      <Spinner label="Loading the card form…" />
      <Skeleton shape="heading" />
      <Skeleton shape="line" />
      <Skeleton shape="chip" count={3} />
    </>
  );
}

const kinds = ['A question', 'An alert', 'A long text'] as const;

export function Dialogs() {
  const [open, setOpen] = useState<(typeof kinds)[number] | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      {kinds.map((kind) => (
        <Button key={kind} variant="secondary" onClick={() => setOpen(kind)}>
          {kind}
        </Button>
      ))}
      {open && (
        <Dialog
          title={open}
          kind={open === 'An alert' ? 'alert' : 'dialog'}
          size={open === 'A long text' ? 'large' : 'small'}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>Yes</Button>
              <Button variant="secondary" onClick={close}>
                No
              </Button>
            </>
          }
        >
          {Array.from({ length: open === 'A long text' ? 30 : 1 }, (_, line) => (
            <p key={line}>Shall we look at another day?</p>
          ))}
        </Dialog>
      )}
    </>
  );
}
