import { formatTime, STEP_SECONDS, type AppointmentMode, type EpochSeconds } from '@clinic/domain';
import { t } from '../messages/t.ts';
import './patient-words.ts';

/** How the patient is seen; 'either' until the patient has chosen between phone and clinic. */
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
  /** How the patient is seen. Omit it where the page says it elsewhere; null when not known. */
  readonly mode?: Mode | null | undefined;
}

/**
 * '15 minutes, until 13:15 · By phone': length by the clinic's own end of the appointment, and how
 * the patient is seen.
 */
export function lengthWords(appointment: Lasting): string {
  const { start, end } = appointment;
  const lasts = t('appointment.lasts', { n: (end - start) / 60, end: formatTime(end) });
  const seen = modeWordsOf(appointment);
  // The no-break spaces keep the dot and the mode on one line.
  return seen === null ? lasts : `${lasts} ·\u00A0${seen.replaceAll(' ', '\u00A0')}`;
}

/** Null for 5 minutes at the clinic, where the specification's texts name no mode, or without a mode. */
export function modeWordsOf({ start, end, mode }: Lasting): string | null {
  if (!mode) return null;
  const isAway = mode === 'phone' || mode === 'video';
  return isAway || end - start !== STEP_SECONDS ? modeWords(mode) : null;
}
