import { formatTime, STEP_SECONDS, type AppointmentMode, type EpochSeconds } from '@clinic/domain';
import { t } from '../messages/t.ts';

/** How the patient is seen; 'either' until they have said so. */
type Mode = AppointmentMode | 'either';

const MODES = {
  inPerson: 'appointment.inPerson',
  phone: 'appointment.byPhone',
  video: 'appointment.byVideo',
  either: 'appointment.eitherWay',
} as const;

/** 'By phone'. */
export const modeWords = (mode: Mode): string => t(MODES[mode]);

/** '15 minutes'. */
export const minutesWords = (minutes: number): string => t('appointment.minutes', { n: minutes });

interface Lasting {
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  /** Left out where it is said elsewhere; null where it is not known. */
  readonly mode?: Mode | null | undefined;
}

/**
 * '15 minutes, until 13:15 · By phone': how long an appointment lasts, by the clinic's own end of
 * it, and how the patient is seen.
 */
export function lengthWords(appointment: Lasting): string {
  const { start, end } = appointment;
  const lasts = t('appointment.lasts', { n: (end - start) / 60, end: formatTime(end) });
  const seen = modeWordsOf(appointment);
  // Where a line ends, the next one begins with the dot and holds how they are seen in one piece.
  return seen === null ? lasts : `${lasts} ·\u00A0${seen.replaceAll(' ', '\u00A0')}`;
}

/** Null of 5 minutes at the clinic, which the specification says without it. */
export function modeWordsOf({ start, end, mode }: Lasting): string | null {
  if (!mode) return null;
  const isAway = mode === 'phone' || mode === 'video';
  return isAway || end - start !== STEP_SECONDS ? modeWords(mode) : null;
}
