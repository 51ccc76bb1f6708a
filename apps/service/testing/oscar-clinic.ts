import { onTestFinished, vi } from 'vitest';

import { type FakeOscar, startFakeOscar } from '@clinic/oscar/fake';
import { connectFakeOscar } from '@clinic/practice/emr/fake-oscar.ts';

import { jobsOf } from '../src/jobs.ts';
import type { Emr } from '../src/modules/records/emr.ts';
import { emrRecord } from '../src/schema.ts';
import { aClinic } from './a-clinic.ts';
import { type PatientRow, aPatient } from './rows.ts';
import { type TestApp, testApp } from './test-app.ts';

export interface OscarClinic {
  readonly clinic: TestApp;
  readonly fake: FakeOscar;
  /** An account whose chart there has this number. */
  readonly anAccount: (demographicNo: number) => Promise<PatientRow>;
  /** Lets so much time pass in steps of ten seconds, in which the jobs that are due do their work. */
  readonly passes: (seconds: number) => Promise<void>;
}

const STEP_SECONDS = 10;

/** A clinic at `now` in seconds whose book an OSCAR keeps, connected as `emr connect` does; doctor 101 works all day. */
export async function oscarClinic(today: string, now: number): Promise<OscarClinic> {
  const clock = { now: () => now };
  const fake = await startFakeOscar({ profile: 'openo', today, now: () => clock.now() * 1_000 });
  onTestFinished(() => fake.stop());
  fake.memory.codes.length = 0;
  for (const [key] of fake.memory.templates) fake.memory.templates.set(key, 'O'.repeat(288));
  const emr: { current: Emr | null } = { current: null };
  const later = new Proxy({} as Emr, {
    get: (_, name) => Reflect.get(emr.current ?? {}, name) as unknown,
  });
  const clinic = await testApp({ emr: later, now, config: { emrAddresses: [fake.base] } });
  onTestFinished(async () => {
    vi.restoreAllMocks();
    await clinic.close();
  });
  clock.now = () => clinic.clock.now();
  // By this the client counts its calls of a minute.
  vi.spyOn(performance, 'now').mockImplementation(() => clock.now() * 1_000);
  const jobs = jobsOf(clinic.platform);
  // They go by the time of the test.
  for (const { name } of jobs) await clinic.app.stopJob(name);
  emr.current = await connectFakeOscar(clinic.platform, fake.base);
  await aClinic(clinic.database, { providers: [{ id: '101' }], from: today });
  const due = new Map(jobs.map((job) => [job, now]));
  return {
    clinic,
    fake,
    async anAccount(demographicNo) {
      const account = await aPatient(clinic, { primaryDoctor: false });
      const { recordId } = account;
      await clinic.database.inTransaction((tx) =>
        tx.insert(emrRecord).values({ recordId, emrId: String(demographicNo), askedAt: 0 }),
      );
      return account;
    },
    async passes(seconds) {
      for (const until = clinic.clock.now() + seconds; clinic.clock.now() < until;) {
        clinic.clock.advance(Math.min(STEP_SECONDS, until - clinic.clock.now()));
        for (const [job, at] of due) {
          if (at > clinic.clock.now()) continue;
          await job.work();
          due.set(job, clinic.clock.now() + job.everyMs / 1_000);
        }
      }
    },
  };
}
