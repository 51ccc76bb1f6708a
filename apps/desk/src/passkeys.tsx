import type { ApiPasskeyShown, CallAnswer } from '@clinic/contract';
import { Button } from '@clinic/ui/button';
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { ask } from './api.ts';
import { t } from './words.ts';

/** Whether passkeys work here: a browser without them has none, and neither has a page at a number. */
export const passkeysWork = (): boolean =>
  browserSupportsWebAuthn() && !/^\[|^[\d.]+$/.test(location.hostname);

/** The browser, or who sits before it, gave no passkey. */
class NoPasskey extends Error {
  override readonly name = 'NoPasskey';
}

type Asked = CallAnswer<'deskAskPasskey'>;

/** Has the browser ask for a passkey, and gives what that signed. */
export async function passkeyFor(asking: Promise<Asked>): Promise<ApiPasskeyShown> {
  const { extras: optionsJSON } = await asking;
  const { id, response } = await startAuthentication({ optionsJSON }).catch(toWords);
  const { clientDataJSON, authenticatorData, signature } = response;
  return { id, clientDataJSON, authenticatorData, signature };
}

/** Shows what was typed, or without it a passkey, of whoever is signed in. */
export const unlock = async (typed: { readonly secret: string } | null) =>
  ask('deskUnlock', {
    body: typed ?? { passkey: await passkeyFor(ask('deskAskOwnPasskey', { body: {} })) },
  });

/** Has a device make a new passkey. */
export async function newPasskey(asking: Promise<CallAnswer<'deskAskNewPasskey'>>) {
  const { extras: optionsJSON } = await asking;
  const { id, response } = await startRegistration({ optionsJSON }).catch(toWords);
  const { clientDataJSON, attestationObject } = response;
  return { id, clientDataJSON, attestationObject };
}

function toWords(error: unknown): never {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError')
    throw new NoPasskey(t('desk.passkeyCancelled'));
  throw new NoPasskey(t(name === 'InvalidStateError' ? 'desk.passkeyThere' : 'desk.passkeyFailed'));
}

interface PasskeyButtonProps {
  busy: boolean;
  onPress: () => void;
  /** A field that a passkey takes the place of, by its name; the others of the form are to be filled in. */
  inPlaceOf: string;
}

/** Shows a passkey in place of a code; there is none where passkeys do not work. */
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
