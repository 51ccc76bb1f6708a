import { formatTime, type EpochSeconds } from '@clinic/domain';
import { t } from '../messages/t.ts';

/** '15 minutes'. */
export const minutesWords = (minutes: number): string => t('appointment.minutes', { n: minutes });

/** '15 minutes, until 13:15': how long an appointment lasts, by the clinic's own end of it. */
export const lengthWords = ({ start, end }: { start: EpochSeconds; end: EpochSeconds }): string =>
  t('appointment.lasts', { n: (end - start) / 60, end: formatTime(end) });
