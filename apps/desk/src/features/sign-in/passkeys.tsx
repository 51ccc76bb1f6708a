import { UserFacingError, messageOf } from '@clinic/app/api-error';
import type { ApiPasskeyShown, CallAnswer } from '@clinic/contract';
import { Button } from '@clinic/ui/button';
import { browserSupportsWebAuthn, startAuthentication } from '@simplewebauthn/browser';
import { ask } from '../../shared/api.ts';
import { t } from '../../shared/words.ts';

/** Whether passkeys work here: the browser must support them, and the host must not be an IP address. */
export const passkeysWork = (): boolean =>
  browserSupportsWebAuthn() && !/^\[|^[\d.]+$/.test(location.hostname);

type Asked = CallAnswer<'deskAskPasskey'>;

/** Asks the browser for a passkey and returns its signature. */
export async function passkeyFor(asking: Promise<Asked>): Promise<ApiPasskeyShown> {
  const { extras: optionsJSON } = await asking.catch(toNothingDone);
  const { id, response } = await startAuthentication({ optionsJSON }).catch(toWords);
  const { clientDataJSON, authenticatorData, signature } = response;
  return { id, clientDataJSON, authenticatorData, signature };
}

/** Unlocks with what was typed or, for null, with a passkey of the signed-in person. */
export const unlock = async (typed: { readonly secret: string } | null) =>
  ask('deskUnlock', {
    body: typed ?? { passkey: await passkeyFor(ask('deskAskOwnPasskey', { body: {} })) },
  });

/** Without what the service asks of the passkey nothing was shown to it, and so nothing done. */
export function toNothingDone(error: Error): never {
  throw new UserFacingError(messageOf(error));
}

export function toWords(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError')
    throw new UserFacingError(t('desk.passkeyCancelled'));
  throw new UserFacingError(
    t(name === 'InvalidStateError' ? 'desk.passkeyThere' : 'desk.passkeyFailed'),
  );
}

interface PasskeyButtonProps {
  busy: boolean;
  onPress: () => void;
  /** Name of the field that the passkey replaces; the form's other fields must be filled in. */
  inPlaceOf: string;
}

/** Offers a passkey in place of a code; absent where passkeys do not work. */
export function PasskeyButton({ busy, onPress, inPlaceOf }: PasskeyButtonProps) {
  if (!passkeysWork()) return null;
  return (
    <Button
      variant="secondary"
      busy={busy}
      busyLabel={t('desk.passkeyWaiting')}
      onClick={({ currentTarget: { form } }) => {
        const others = [...(form?.elements ?? [])].filter(
          (each) => each instanceof HTMLInputElement && each.name !== inPlaceOf,
        ) as HTMLInputElement[];
        if (others.every((each) => each.reportValidity())) onPress();
      }}
    >
      {t('desk.usePasskey')}
    </Button>
  );
}
