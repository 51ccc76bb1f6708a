import { expect, test } from 'vitest';

import { credentials } from '../fake/index.ts';
import { OscarRefused, beginConnecting, createOscar, finishConnecting } from '../src/index.ts';
import { openClinic } from './clinic.ts';

const { consumer } = credentials;

/** What a provider does in the browser: opens the address, logs in, approves, copies the verifier. */
async function approve(authorizeAt: string): Promise<string> {
  const question = await (await fetch(authorizeAt)).text();
  const [, token = ''] = /name="oauth_token" value="(\w+)"/.exec(question) ?? [];
  const answer = await fetch(authorizeAt.replace(/\?.*/, ''), {
    method: 'POST',
    body: new URLSearchParams({ oauth_token: token }),
  });
  return /<code>(\w+)<\/code>/.exec(await answer.text())?.[1] ?? '';
}

test('a clinic is connected by a provider’s consent in the browser', async () => {
  const { fake } = await openClinic('oscar19');
  const { base } = fake;
  const { requestToken, authorizeAt } = await beginConnecting({ base, consumer });
  const verifier = await approve(authorizeAt);
  const token = await finishConnecting({ base, consumer, requestToken, verifier });
  const oscar = createOscar({ base, rest: { consumer, token }, soap: null });
  expect(await oscar.isAuthorised()).toBe(true);
});

test('a wrong secret, a wrong verifier and a second use are refused', async () => {
  const { fake } = await openClinic('oscar19');
  const { base } = fake;
  const wrong = { ...consumer, secret: 'wrong' };
  await expect(beginConnecting({ base, consumer: wrong })).rejects.toThrow(OscarRefused);
  const { requestToken, authorizeAt } = await beginConnecting({ base, consumer });
  const verifier = await approve(authorizeAt);
  const finish = (given: string) =>
    finishConnecting({ base, consumer, requestToken, verifier: given });
  await expect(finish('wrong')).rejects.toThrow(OscarRefused);
  await finish(verifier);
  await expect(finish(verifier)).rejects.toThrow(OscarRefused);
});
