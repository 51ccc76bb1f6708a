import { type JobRun, lateJobs } from '@clinic/service/database/job-runs.ts';
import { ageOf, counted } from './command.ts';

/** Which kinds of job are late, with their ages, and how old the last run of the others is at most. */
export function jobsSay(runs: ReadonlyMap<string, JobRun>, now: number): string {
  if (runs.size === 0) return 'none was done yet';
  const ageOfRun = ({ endedAt }: JobRun) => (endedAt === null ? null : now - endedAt);
  const late = lateJobs(runs, now);
  const ages = [...runs.values()].flatMap((run) => ageOfRun(run) ?? []);
  const last = ages.length === 0 ? '' : `, the last one ${ageOf(Math.min(...ages))} ago`;
  if (late.length === 0) return `all ${runs.size} kinds are done in their time${last}`;
  if (late.length === runs.size) return `none is done any more${last}`;
  const each = late.map((run) => {
    const age = ageOfRun(run);
    return `${run.name} (${age === null ? 'never done' : `${ageOf(age)} ago`})`;
  });
  return `${counted(late.length, 'kind')} of ${runs.size} late: ${each.join(', ')}`;
}
