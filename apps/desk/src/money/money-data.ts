import type { DateSpan, MoneyState } from '@clinic/domain';
import { queryOptions } from '@tanstack/react-query';
import { ask } from '../api.ts';

/** What was paid on some days. What it shows anew after a change was looked at before. */
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
