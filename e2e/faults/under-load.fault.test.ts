import { test } from 'vitest';

import { patientWaits } from '../../apps/service/testing/patient-waits.ts';
import { chanceOf } from './chance.ts';
import { expectNoFaults, faultClinic, onCluster } from './clinic/fault-clinic.ts';
import { crush } from './proofs/crush.ts';
import { rivals } from './proofs/rivals.ts';
import { rollingStop } from './proofs/rolling-stop.ts';
import { storm } from './proofs/storm.ts';
import { swap } from './proofs/swap.ts';
import { LONG } from './report.ts';

const clinic = faultClinic();

test('In a storm of faults no times of mixed lengths overlap and no booking is forgotten', async () => {
  const { some, prepared } = clinic();
  const finding = await onCluster(clinic(), (cluster) =>
    storm(cluster, {
      accounts: some,
      slots: prepared.mixedSlots,
      operations: LONG ? 4_000 : 1_000,
      kills: LONG ? 40 : 10,
      chance: chanceOf('storm'),
    }),
  );
  expectNoFaults(finding);
});

test('Five hundred patients at once fill a hundred slots', async () => {
  const { accounts, prepared } = clinic();
  const finding = await onCluster(clinic(), (cluster) =>
    crush(cluster, { accounts, slots: prepared.crushedSlots, chance: chanceOf('crush') }),
  );
  expectNoFaults(finding);
});

// Shows: R-91
test('Of rivals for times of mixed lengths none overlap, and whoever lost had no room', async () => {
  const { accounts, prepared } = clinic();
  const finding = await onCluster(
    clinic(),
    (cluster) =>
      rivals(cluster, {
        accounts: accounts.slice(0, 32),
        slots: prepared.rivalSlots,
        rounds: LONG ? 500 : 8,
        chance: chanceOf('rivals'),
      }),
    // Whoever waits long on a slow machine has not lost a time.
    { waits: patientWaits },
  );
  expectNoFaults(finding);
});

test('Two patients swap slots two hundred times under faults', async () => {
  const { accounts, apart } = clinic();
  const [one, other] = accounts;
  const [first, second, third] = apart;
  if (!one || !other || !first || !second || !third) throw new Error('The clinic is too small');
  const finding = await onCluster(clinic(), (cluster) =>
    swap(cluster, {
      accounts: [one, other],
      slots: [first, second, third],
      rounds: 200,
      chance: chanceOf('swap'),
    }),
  );
  expectNoFaults(finding);
});

test('Services that are stopped one after the other fail no request', async () => {
  const { accounts, prepared } = clinic();
  const finding = await onCluster(
    clinic(),
    (cluster) =>
      rollingStop(cluster, {
        accounts: accounts.slice(0, 12),
        slots: prepared.busySlots,
        stops: LONG ? 4 : 2,
        chance: chanceOf('stop'),
      }),
    // Whoever waits long on a slow machine has not noticed a stop.
    { waits: patientWaits, endsWhenTold: true },
  );
  expectNoFaults(finding);
});
