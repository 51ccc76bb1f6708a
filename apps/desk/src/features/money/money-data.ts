import type { DateSpan, MoneyState } from '@clinic/domain';
import { queryOptions } from '@tanstack/react-query';
import { ask } from '../../shared/api.ts';

/** Payments of a range of days. Refetches after a change run in the background. */
export const moneyQuery = ({ from, to, state }: DateSpan & { readonly state?: MoneyState }) =>
  queryOptions({
    queryKey: ['money', from, to, state],
    queryFn: async ({ client: queries, queryKey }) => {
      const background = queries.getQueryData(queryKey) !== undefined;
      const query = { from, to, ...(state && { state }) };
      return (await ask('deskMoney', { query }, { background })).extras;
    },
    gcTime: 0,
  });
