import { performance } from 'node:perf_hooks';

import { accountRequests } from '../../apps/service/tests/account-requests.ts';
import { accountClinic } from '../../apps/service/testing/account-clinic.ts';
import { type TestApp, ask } from '../../apps/service/testing/index.ts';
import { quantile } from './report.ts';
import type { Row } from './report.ts';

const PAIRS = 60;
const AIM_MS = 5;

/** S-7: how much longer an existing account takes than absent one, pair by pair. */
export async function measureEnumeration(): Promise<Row[]> {
  const clinic = await accountClinic();
  let tried = 0;
  const calls: Readonly<Record<string, (to: string) => Promise<unknown>>> = {
    login: (to) => login(clinic, to, ++tried),
    register: (to) => register(clinic, to),
    forgot: (to) => ask(clinic, 'sendResetCode', { body: { email: to } }),
  };
  const rows: Row[] = [];
  try {
    for (const [name, send] of Object.entries(calls))
      rows.push(await paired(name, send, clinic.email));
    return rows;
  } finally {
    await clinic.close();
  }
}

const login = (clinic: TestApp, email: string, tried: number) => {
  const wrong = { password: 'wrong-password', recaptcha: `ok:${tried}` };
  return ask(clinic, 'login', { body: { method: 'email', email, ...wrong } });
};
function register(clinic: TestApp, email: string) {
  const { body } = accountRequests.register();
  return ask(clinic, 'register', {
    body: { ...body, email, emailConfirm: email, preferredPharmacy: null },
  });
}

async function paired(
  name: string,
  send: (email: string) => Promise<unknown>,
  known: string,
): Promise<Row> {
  let absent = 0;
  const nobody = () => `nobody.${name}${++absent}@test.example`;
  const timed = async (email: string) => {
    const began = performance.now();
    await send(email);
    return performance.now() - began;
  };
  const differences: number[] = [];
  for (let pair = -5; pair < PAIRS; pair++) {
    // Who comes first takes turns, so that a drift of the machine is nobody's.
    const first = await timed(pair % 2 === 0 ? known : nobody());
    const second = await timed(pair % 2 === 0 ? nobody() : known);
    if (pair >= 0) differences.push(pair % 2 === 0 ? first - second : second - first);
  }
  return {
    name: `${name}, existing account beside absent, paired`,
    ours: {
      unit: 'ms',
      median: Math.abs(quantile(differences, 0.5)),
      p10: quantile(differences, 0.1),
      p90: quantile(differences, 0.9),
    },
    limit: { what: 'aim', value: AIM_MS },
    aim: 'under',
  };
}
