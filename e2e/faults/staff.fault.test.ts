import { expect, test } from 'vitest';

import { chanceOf } from './chance.ts';
import { expectNoFaults, faultClinic, say } from './clinic/fault-clinic.ts';
import { staffNemesis } from './staff/nemesis.ts';
import { LONG } from './report.ts';

const clinic = faultClinic();

/** With LONG also one run at the true intervals. */
const runs = LONG
  ? [
      { patients: 50, receptionists: 5, rounds: 200, hurry: 10 },
      { patients: 50, receptionists: 5, rounds: 3, hurry: 1 },
    ]
  : [{ patients: 16, receptionists: 3, rounds: 5, hurry: 10 }];

// Shows: R-94
test.each(runs)(
  'Staff and patients write into one OSCAR at once: what is called booked stands there, nobody of ours came second, no money is without an appointment, and every patient is told in time (time $hurry times as fast)',
  async (run) => {
    const { prepared } = clinic();
    expectNoFaults(
      await staffNemesis({ ...run, prepared, chance: chanceOf(`staff ${run.hurry}`) }),
    );
  },
  LONG ? 6 * 3_600_000 : 1_800_000,
);

const caught = {
  'trusts its first look': /our write came second/,
  'repeats a write after a timeout': /written twice|left in OSCAR/,
  'writes to no site': /is of the site ''/,
  'tells nobody of a delete': /The desk does not hear/,
};

test.each<[(keyof typeof caught)[]]>([
  [['trusts its first look']],
  [['repeats a write after a timeout']],
  [['writes to no site', 'tells nobody of a delete']],
])('A service that %s is caught', async (defects) => {
  const { prepared } = clinic();
  const until = defects.map((each) => caught[each]);
  const finding = await staffNemesis({
    prepared,
    patients: 16,
    receptionists: 3,
    rounds: 20,
    hurry: 10,
    chance: chanceOf(defects.join(', ')),
    defects,
    until,
  });
  for (const [at, what] of until.entries())
    say(
      `${defects[at]}: ${finding.title}; ${finding.faults.find((each) => what.test(each)) ?? 'nothing noticed'}`,
    );
  for (const what of until) expect(finding.faults.join('\n')).toMatch(what);
});
