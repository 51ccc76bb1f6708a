import type { CallAnswer } from '@clinic/contract';
import type { ClinicDate } from '@clinic/domain';
import { ask, liveQuery } from '../../shared/api.ts';

export type OwnDays = CallAnswer<'deskOwnDays'>['extras'];

export const OWN_DAYS = ['own-days'];

/** The own patients of a day, or of the seven from it on. */
export const ownDaysQuery = (date: ClinicDate, days: '1' | '7') =>
  liveQuery(
    [...OWN_DAYS, date, days],
    async (how) => (await ask('deskOwnDays', { params: { date }, query: { days } }, how)).extras,
    { gcTime: 0, refetchInterval: 60_000 },
  );
