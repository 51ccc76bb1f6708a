import type { Chance } from '../chance.ts';
import type { Cluster } from '../clinic/cluster.ts';
import { openRecord } from '../clinic/record.ts';
import { type PatientAccount, UNHURRIED_MS, insist, patientOf } from '../clinic/patient.ts';
import type { Answered, Slot } from '../history.ts';
import type { Finding } from '../report.ts';

export interface LostAnswersOptions {
  readonly account: PatientAccount;
  readonly slots: readonly Slot[];
  readonly chance: Chance;
}

/**
 * The two answers that can be lost, that of the service to the browser and that of the database to
 * COMMIT: the browser asks again with its key and gets the booking that was made.
 */
export async function lostAnswers(
  cluster: Cluster,
  { account, slots, chance }: LostAnswersOptions,
): Promise<Finding> {
  const record = openRecord(cluster, [account]);
  const [service] = cluster.services;
  const [base] = cluster.bases;
  if (service === undefined || base === undefined) throw new Error('There is no service');
  const patient = patientOf({
    account,
    bases: [base],
    history: record.history,
    chance,
    patienceMs: UNHURRIED_MS,
  });
  const faults: string[] = [];
  let lost = 0;

  const losing = async (where: string, ask: () => Promise<Answered>): Promise<Answered> => {
    const rowsBefore = await rows();
    const sprung =
      where === 'the browser'
        ? service.front.loseAnswerTo('/schedule/')
        : // The service's own errands commit too.
          service.back.loseAnswerTo('commit', 'appointments-');
    const answer = { isLost: false };
    void sprung.then(() => (answer.isLost = true));
    let first = await ask();
    // Whoever was sent away before the answer was lost, as on a busy database, asks again.
    while (first.outcome === 'unknown' && !answer.isLost) first = await ask();
    await sprung;
    lost += 1;
    const then = first.outcome === 'unknown' ? await insist(ask, chance) : first;
    if (where === 'the browser' && first.outcome !== 'unknown')
      faults.push('The browser heard an answer that was thrown away');
    if (then.outcome !== 'ok') faults.push(`Lost on the way to ${where}: ${JSON.stringify(then)}`);
    const made = (await rows()) - rowsBefore;
    if (made > 1) faults.push(`Lost on the way to ${where}: ${made} visits for one wish`);
    return then;
  };
  const rows = async () => {
    const { rows } = await cluster.ask((database) =>
      database.query<{ count: string }>(
        `select count(*) from appointment where state <> 'released'`,
      ),
    );
    return Number(rows[0]?.count);
  };

  for (const [round, slot] of slots.slice(0, -1).entries()) {
    const to = slots[round + 1];
    const where = round % 2 === 0 ? 'the browser' : 'the service';
    const booked = await losing(where, () => patient.book(slot, `lost-booking-${round}`));
    const appointment = booked.row ?? '';
    const moved =
      to === undefined
        ? booked
        : await losing(where, () => patient.move(appointment, to, `lost-move-${round}`));
    await losing(where, () => patient.cancel(moved.row ?? ''));
    await patient.list();
  }

  const verdict = await record.judged();
  return {
    title: 'A lost answer, and a connection lost during COMMIT',
    lines: [`${lost} answers lost, each asked for again with its key`, ...verdict.lines],
    faults: [...verdict.faults, ...faults],
  };
}
