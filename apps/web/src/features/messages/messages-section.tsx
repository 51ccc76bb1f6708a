import { Button } from '@clinic/ui/button';
import { PenLine } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { messages } from '../../messages/en/messages.ts';
import { loadMessages, t } from '../../messages/t.ts';
import { listenLive } from '../../api/live.ts';
import { sendFiles } from '../../shared/files/send-files.ts';
import { announce } from '../../shared/shell/alerts.tsx';
import { MessageList } from './message-list.tsx';
import { MessageThread, BackButton } from './message-thread.tsx';
import { useRefreshMessages, useKeepThread } from './messages-data.ts';
import styles from './messages.module.css';
import { WriteForm } from './write-form.tsx';

loadMessages(messages);

type View =
  | { readonly name: 'list' }
  | { readonly name: 'new' }
  | { readonly name: 'thread'; readonly id: string };

/** The messages of a patient, as a section of My Account. */
export function MessagesSection() {
  const id = useId();
  const [view, setView] = useState<View>({ name: 'list' });
  const [skip, setSkip] = useState(0);
  const heading = useRef<HTMLHeadingElement>(null);
  useAnswersOfTheClinic();

  const toList = () => {
    setView({ name: 'list' });
    heading.current?.focus();
  };
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 ref={heading} id={id} tabIndex={-1}>
        {t('messages.title')}
      </h2>
      {view.name === 'list' && (
        <>
          <p>{t('messages.lead')}</p>
          <Button
            variant="secondary"
            className={styles.start}
            icon={<PenLine size={18} aria-hidden="true" />}
            onClick={() => setView({ name: 'new' })}
          >
            {t('messages.write')}
          </Button>
          <MessageList
            skip={skip}
            onSkip={setSkip}
            onOpen={(message) => setView({ name: 'thread', id: message })}
          />
        </>
      )}
      {view.name === 'new' && (
        <NewMessage
          onBack={toList}
          onSent={(message) => {
            setSkip(0);
            setView({ name: 'thread', id: message });
          }}
        />
      )}
      {view.name === 'thread' && <MessageThread key={view.id} id={view.id} onBack={toList} />}
    </section>
  );
}

/** An answer that arrives while the page is open is shown and said. */
function useAnswersOfTheClinic(): void {
  const refresh = useRefreshMessages();
  useEffect(
    () =>
      listenLive({
        onMessages: () => {
          announce('info', t('messages.answered'));
          refresh();
        },
        onReturn: refresh,
      }),
    [refresh],
  );
}

interface NewMessageProps {
  onBack: () => void;
  onSent: (id: string) => void;
}

/** A patient starts a message. */
function NewMessage({ onBack, onSent }: NewMessageProps) {
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
