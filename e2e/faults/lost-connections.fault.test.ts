import { expect, test } from 'vitest';

import { chanceOf } from './chance.ts';
import { expectNoFaults, faultClinic, onCluster, say } from './clinic/fault-clinic.ts';
import { DEFECTS } from './defects.ts';
import { runBroken } from './proofs/broken-servers.ts';
import { lostAnswers } from './proofs/lost-answers.ts';
import { silence } from './proofs/silence.ts';
import { toldTruth } from './proofs/told-truth.ts';
import { LONG } from './report.ts';

const clinic = faultClinic();

const one = () => {
  const [account] = clinic().accounts;
  if (account === undefined) throw new Error('The clinic is too small');
  return account;
};

test('A lost answer is given again, and a connection lost during COMMIT books once', async () => {
  const { apart } = clinic();
  const finding = await onCluster(clinic(), (cluster) =>
    lostAnswers(cluster, { account: one(), slots: apart, chance: chanceOf('lost') }),
  );
  expectNoFaults(finding);
});

test('A page that lost answers tells what stands', async () => {
  const { prepared } = clinic();
  const finding = await onCluster(clinic(), (cluster) =>
    toldTruth(cluster, {
      account: one(),
      slots: prepared.busySlots,
      rounds: LONG ? 60 : 15,
      chance: chanceOf('told'),
    }),
  );
  expectNoFaults(finding);
});

test('Services go on when database connections fall silent', async () => {
  const { some, apart } = clinic();
  const finding = await onCluster(clinic(), (cluster) =>
    silence(cluster, { accounts: some, slots: apart, chance: chanceOf('silence') }),
  );
  expectNoFaults(finding);
});

test.each(DEFECTS)('The checkers catch a server with %s', async (defect) => {
  const { some, prepared } = clinic();
  const { caught, operations, noticed, unexpected } = await onCluster(
    clinic(),
    (cluster) =>
      runBroken(cluster, {
        defect,
        accounts: some,
        slots: prepared.busySlots,
        chance: chanceOf(defect),
      }),
    { defect },
  );
  say(`${defect}: noticed by ${noticed.join(', ') || 'nothing'} in ${operations} operations`);
  expect(caught).toBe(true);
  expect(unexpected).toEqual([]);
});
