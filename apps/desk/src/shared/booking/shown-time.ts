import { formatTime, toClinic } from '@clinic/domain';
import { formatDay } from '@clinic/texts';
import { locale } from '../words.ts';

export const shownTime = (at: number): string =>
  `${formatDay(locale(), toClinic(at).date)} ${formatTime(at)}`;

export const minutesOf = ({ start, end }: { start: number; end: number }): number =>
  Math.round((end - start) / 60);
