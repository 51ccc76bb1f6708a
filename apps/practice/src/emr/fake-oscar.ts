import { fork } from 'node:child_process';
import { credentials } from '@clinic/oscar/fake';
import type { ClinicDate } from '@clinic/domain';
import type { OscarCredentials } from '@clinic/service/adapters/emr-oscar/connection.ts';
import { keepConnection } from '@clinic/service/modules/records/index.ts';
import { openEmr } from '@clinic/service/open-emr.ts';
import { createAudit } from '@clinic/service/security/audit.store.ts';
import { z } from 'zod';

const PROGRAM = new URL('../../../../packages/oscar/fake/main.ts', import.meta.url);
const ADDRESSES = z.object({ base: z.url(), page: z.url() });

export type StartFakeOscar = (today: ClinicDate) => Promise<{
  readonly base: string;
  readonly page: string;
  readonly stop: () => Promise<void>;
}>;

/** Starts the fake OSCAR in a child process, which ends with this one. */
export const startFakeOscar: StartFakeOscar = async (today) => {
  const child = fork(PROGRAM, ['--port', '0', '--today', today], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const addresses = await new Promise<unknown>((hear, fail) => {
    child.once('message', hear);
    child.once('error', fail);
    void ended.then(() => fail(new Error('The fake OSCAR did not start.')));
  });
  return {
    ...ADDRESSES.parse(addresses),
    async stop() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
};

/** The credentials for a fake OSCAR. */
export const fakeOscarCredentials: OscarCredentials = {
  client: credentials.consumer,
  token: credentials.token,
  login: credentials.soap,
  programId: 1,
  hidden: ['200'],
};

/** Stores what `clinic emr connect` would have stored, and opens the EMR with it. */
export async function connectFakeOscar(ports: Parameters<typeof openEmr>[0], base: string) {
  await keepConnection(
    { ...ports, appendAudit: createAudit(ports.keyring) },
    { id: 'oscar', credentials: fakeOscarCredentials },
    { actor: 'practice', now: ports.clock.now() },
  );
  return openEmr(ports, { emrAddresses: [base] });
}
