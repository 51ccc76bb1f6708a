import { type Connecting, OscarRefused, createOscar, seenAs } from '@clinic/oscar';

/** What is wrong, and what to do about it, each in one sentence without its full stop. */
export interface Wrong {
  readonly says: string;
  readonly cure: string;
}

/** REST takes no signature that is further from its clock. */
export const SECONDS_APART = 300;

export const CONNECT_AGAIN = 'Connect it again: npm run clinic -- emr connect';

/**
 * Why OSCAR does not take what the REST client signs: it answers the same to most that can be wrong. Null where
 * it takes it, so that only the token is not right. `secondsApart` are between its clock and ours.
 */
export async function whyNotSigned(
  { base, consumer }: Connecting,
  secondsApart: number,
): Promise<Wrong | null> {
  if (secondsApart > SECONDS_APART)
    return {
      says: `its clock is ${secondsApart} s from ours, and no signature counts that is five minutes off`,
      cure: 'Let both machines follow a time server: timedatectl set-ntp true',
    };
  if (!(await isKnown({ base, consumer })))
    return {
      says: 'it has no REST client with this key',
      cure: 'Copy the key again from Administration, Integration, REST Clients, and connect with it: npm run clinic -- emr connect',
    };
  const seen = await seenAs({ base, consumer });
  if (seen === null)
    return {
      says: 'it does not take what the REST client signs',
      cure: 'Copy the secret of the REST client again, set its URI to oob, and see that the proxy before OSCAR passes on the host name that it was asked for',
    };
  const [ours, theirs] = [new URL(base), new URL(seen)];
  if (ours.origin === theirs.origin) return null;
  const hidden = [
    ...(ours.protocol === theirs.protocol ? [] : ['X-Forwarded-Proto']),
    ...(ours.hostname === theirs.hostname ? [] : ['Host']),
    ...(ours.protocol === theirs.protocol && ours.port !== theirs.port ? ['X-Forwarded-Port'] : []),
  ].join(' and ');
  return {
    says: `it believes to be asked at ${theirs.origin}, as a proxy hides ${ours.origin}`,
    cure: `Let the proxy send ${hidden}, and Tomcat take it: a RemoteIpValve in its server.xml (docs/emr.md)`,
  };
}

/** Whether OSCAR has the client: most builds say so before they look at the signature. */
async function isKnown({ base, consumer }: Connecting): Promise<boolean> {
  const token = { key: 'none', secret: 'none' };
  const { urgent } = createOscar({
    base,
    rest: { consumer, token },
    soap: { userName: '', password: '' },
  });
  try {
    await urgent.checkToken();
  } catch (error) {
    if (!(error instanceof OscarRefused)) throw error;
    return error.word !== 'invalid_consumer';
  }
  return true;
}
