import type { ClinicDate } from '@clinic/domain';
import { ask, liveQuery } from '../../shared/api.ts';

export const OWN_DAY = ['own-day'];

/** The own patients of a day. */
export const ownDayQuery = (date: ClinicDate) =>
  liveQuery(
    [...OWN_DAY, date],
    async (how) => (await ask('deskOwnDay', { params: { date } }, how)).extras,
    { gcTime: 0, refetchInterval: 60_000 },
  );
