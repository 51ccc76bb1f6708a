import type { CallAnswer } from '@clinic/contract';
import { startRegistration } from '@simplewebauthn/browser';
import { toNothingDone, toWords } from './passkeys.tsx';

/** Creates a new passkey on a device. */
export async function newPasskey(asking: Promise<CallAnswer<'deskAskNewPasskey'>>) {
  const { extras: optionsJSON } = await asking.catch(toNothingDone);
  const { id, response } = await startRegistration({ optionsJSON }).catch(toWords);
  const { clientDataJSON, attestationObject } = response;
  return { id, clientDataJSON, attestationObject };
}
