import type { TextFieldProps } from '@clinic/ui/text-field';
import { type ReactNode, useState } from 'react';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { SendForm } from '../../shared/send-form.tsx';
import { t } from '../../shared/words.ts';
import { PasskeyButton, unlock } from './passkeys.tsx';

interface UnlockFormProps {
  does: string;
  doing: string;
  /** Called before anything is sent. */
  before?: () => Promise<unknown>;
  onDone: (answer: Awaited<ReturnType<typeof unlock>>) => unknown;
  onFailed?: () => void;
  /** The field of what is typed. */
  children: (wiring: SecretWiring) => ReactNode;
  /** What failed beside it. */
  also?: ReactNode;
  /** Leaves it. */
  leave: ReactNode;
}

type SecretWiring = Pick<TextFieldProps, 'value' | 'onChange' | 'name' | 'required'>;

/** Asks the signed-in person to show that it is them: by what they type, or a passkey. */
export function UnlockForm(props: UnlockFormProps) {
  const { does, doing, before, onDone, onFailed, children, also, leave } = props;
  const [secret, setSecret] = useState('');
  const open = useAction({
    work: async (by: 'secret' | 'passkey') => {
      await before?.();
      return unlock(by === 'secret' ? { secret } : null);
    },
    unknown: t('desk.secretUnknown'),
    onDone,
    ...(onFailed && { onFailed }),
  });
  const waitsFor = open.pending ? open.input : null;
  return (
    <SendForm
      does={does}
      doing={doing}
      busy={waitsFor === 'secret'}
      onSend={() => open.run('secret')}
      outcome={
        <>
          <Outcome of={open} />
          {also}
        </>
      }
      beside={
        <>
          <PasskeyButton
            inPlaceOf="secret"
            busy={waitsFor === 'passkey'}
            onPress={() => open.run('passkey')}
          />
          {leave}
        </>
      }
    >
      {children({ name: 'secret', required: true, value: secret, onChange: setSecret })}
    </SendForm>
  );
}
