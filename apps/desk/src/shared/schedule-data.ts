import { addDays, formatTime, startOfDay, toClinic } from '@clinic/domain';
import { formatDay } from '@clinic/texts';
import { ask, liveQuery } from './api.ts';
import { locale, t } from './words.ts';

export const closingsQuery = liveQuery(
  ['closings'],
  async (how) => (await ask('deskClosings', {}, how)).extras,
);

export interface ForeseenTime extends Span {
  readonly providerIds: string[];
}

const LOOK_EVERY_MS = 5_000;

/** Progress of a closing. */
export const closingQuery = (id: string) =>
  liveQuery(
    ['closing', id],
    async (how) => (await ask('deskClosing', { params: { id } }, how)).extras,
    { gcTime: 0, refetchInterval: LOOK_EVERY_MS },
  );

interface Span {
  readonly from: number;
  readonly to: number;
}

/** 'Sat Nov 21', 'Sat Nov 21, 12:00 to 17:00', or 'Sat Nov 21 12:00 to Mon Nov 23'. */
export function spanText({ from, to }: Span): string {
  const [first, last] = [toClinic(from), toClinic(to - 1)];
  const startsDay = first.time === '00:00';
  const endsDay = startOfDay(addDays(last.date, 1)) === to;
  const firstDay = formatDay(locale(), first.date);
  const lastDay = formatDay(locale(), last.date);
  const until = endsDay ? t('desk.close.endOfDay') : formatTime(to);
  if (first.date === last.date) {
    if (startsDay && endsDay) return firstDay;
    return t('desk.close.ofDay', { day: firstDay, from: first.time, to: until });
  }
  return t('desk.close.span', {
    from: startsDay ? firstDay : `${firstDay} ${first.time}`,
    to: endsDay ? lastDay : `${lastDay} ${until}`,
  });
}

type Named = readonly { readonly id: string; readonly name: string }[];

/** The names of providers, or a word for all when there are several and all are meant. */
export function whoText(ids: readonly string[], providers: Named): string {
  if (providers.length > 1 && providers.every(({ id }) => ids.includes(id)))
    return t('desk.close.everybody');
  return ids.map((id) => nameOf(id, providers)).join(', ');
}

export const nameOf = (id: string, providers: Named): string =>
  providers.find((each) => each.id === id)?.name ?? id;
