import { useEffect, useRef } from 'react';
import { t } from '../../messages/t.ts';
import { sendFiles } from '../../shared/files/send-files.ts';
import { announce } from '../../shared/ui/alerts.tsx';
import { BackButton } from './back-button.tsx';
import { useKeepThread } from './messages-data.ts';
import { WriteForm } from './write-form.tsx';

interface NewMessageProps {
  onBack: () => void;
  onSent: (id: string) => void;
}

/** a patient starts a message. */
export function NewMessage({ onBack, onSent }: NewMessageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const keep = useKeepThread();
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    heading.current?.focus();
    return () => {
      here.current = false;
    };
  }, []);
  return (
    <>
      <BackButton onBack={onBack} />
      <h3 ref={heading} tabIndex={-1}>
        {t('messages.newThread')}
      </h3>
      <WriteForm
        name="message"
        label={t('messages.text')}
        send={async (input) => {
          const result = await sendFiles('startMessage', input);
          if (result.kind === 'answer') {
            const { message } = result.answer.extras;
            keep(message);
            announce('success', t('messages.sent'));
            // Who looks elsewhere by now is left there.
            if (here.current) onSent(message.id);
          }
          return result;
        }}
      />
    </>
  );
}
