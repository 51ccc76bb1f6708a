import type { ApiSheetAppointment } from '@clinic/contract';
import { formatTime } from '@clinic/domain';
import { formatMoment } from '@clinic/texts';
import { locale, t } from '../../shared/words.ts';

/** The status that an appointment's text and color on the sheet show. */
export function statusOf({ state, attendance, isGone }: ApiSheetAppointment) {
  if (isGone === true) return 'goneFromEmr';
  return state === 'held' ? 'held' : attendance;
}

export const statusText = (appointment: ApiSheetAppointment): string =>
  appointment.linkUntil === null
    ? t(`desk.${statusOf(appointment)}`)
    : t('desk.linkWaits', { until: formatMoment(locale(), appointment.linkUntil) });

/** When it is, and how long it takes. */
export const slotOf = ({ start, end }: ApiSheetAppointment) => ({
  from: formatTime(start),
  to: formatTime(end),
  minutes: Math.round((end - start) / 60),
});

const FEE = {
  none: 'desk.feeNone',
  paid: 'desk.feePaid',
  underWay: 'desk.feeUnderWay',
  due: 'desk.feeDue',
  taken: 'desk.feeTaken',
  waived: 'desk.feeWaived',
  givenBack: 'desk.feeGivenBack',
} as const;
export const feeText = ({ fee }: ApiSheetAppointment): string => t(FEE[fee]);
