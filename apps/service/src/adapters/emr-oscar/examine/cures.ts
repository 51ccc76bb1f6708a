import { type Connecting, OscarOffline, OscarRefused } from '@clinic/oscar';

import { CONNECT_AGAIN, type Wrong, whyNotSigned } from '../signature.ts';

/** What a question that failed says, and what to do. */
export function failed(error: unknown): Wrong {
  const says = error instanceof Error ? error.message : 'it failed';
  if (error instanceof OscarOffline) return { says, cure: cureOfSilence(says) };
  if (!(error instanceof OscarRefused))
    return { says, cure: 'Look into the log of OSCAR at this minute: it failed over the question' };
  if (error.word === 'No service was found')
    return { says, cure: 'Put REST into ModuleNames of oscar.properties, and restart OSCAR' };
  return { says, cure: curesOfRefusal[error.by] };
}

const curesOfRefusal = {
  firewall: 'Let the firewall pass the address of this machine, to /ws and below',
  soap: 'In OSCAR, Administration, Security: set the password and a date of expiry that is ahead, which counts even where it is not ticked, and no PIN, and connect again: npm run clinic -- emr connect',
  oauth: CONNECT_AGAIN,
} as const;

/** By the word of the network, of TLS or of HTTP that the message ends with. */
export function cureOfSilence(says: string): string {
  if (/CERT_HAS_EXPIRED/.test(says)) return 'Let whoever runs OSCAR renew its certificate';
  if (/ALTNAME/.test(says)) return 'Set EMR_URL to the host name that the certificate is made for';
  if (/SELF_SIGNED|UNABLE_TO_/.test(says))
    return 'Set NODE_EXTRA_CA_CERTS to a file with the certificate of the authority that made OSCAR’s, for the service and the commands';
  if (/404/.test(says))
    return 'Set EMR_URL with the path that OSCAR is installed at, such as /oscar';
  if (/database/.test(says)) return 'Let whoever runs OSCAR look at its database';
  if (/429/.test(says)) return 'Let the proxy before OSCAR take more requests of this machine';
  return 'See that OSCAR runs, that EMR_URL is its address, and that a firewall lets this machine through';
}

/** REST looks at the signature before it looks at the token, and has one word for both. */
export async function whyRefused(
  error: unknown,
  access: Connecting,
  apart: number,
): Promise<Wrong> {
  const isSaid = error instanceof OscarRefused && error.by === 'oauth';
  if (!isSaid || ![undefined, 'invalid_signature', 'invalid_consumer'].includes(error.word))
    return failed(error);
  const why = await whyNotSigned(access, apart);
  return why ?? { says: 'REST does not take it: it ended, or was taken back', cure: CONNECT_AGAIN };
}
