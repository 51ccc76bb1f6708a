import { type AppointmentMode, type EpochSeconds, calendarFile, calendarUid } from '@clinic/domain';
import { type Locale, type Values, addPart, formatMoment, translate } from '@clinic/texts';

/** What an appointment says of itself in a patient's calendar. */
export const calendar = {
  summary: 'Appointment at {clinicName}',
  text: '{when}, British Columbia time (UTC−7 all year). Questions: {phone}, {email}',
  byPhone: 'By phone',
  byVideo: 'By video',
} as const;

addPart('calendar', calendar, 'calendar.');

const say = (locale: Locale, code: keyof typeof calendar, values?: Values): string =>
  translate(locale, `calendar.${code}`, values);

interface CalendarAppointment {
  readonly bookingNumber: string;
  readonly sequence: number;
  readonly start: EpochSeconds;
  readonly end: EpochSeconds;
  /** Null or 'either' where nobody has said yet how the patient is seen. */
  readonly mode: AppointmentMode | 'either' | null;
}

interface CalendarClinic {
  readonly name: string;
  readonly address: string;
  readonly phone: string;
  readonly email: string;
}

/**
 * The calendar file of an appointment, for the email and for the download on a page alike: they have one UID,
 * so a calendar takes each in place of the other. It may be at the clinic unless it is by phone or video.
 */
export function appointmentCalendar(
  locale: Locale,
  method: 'PUBLISH' | 'CANCEL',
  { bookingNumber, mode, ...times }: CalendarAppointment,
  clinic: CalendarClinic,
  writtenAt: EpochSeconds,
): string {
  const { name, address, phone, email } = clinic;
  const away = { phone: 'byPhone', video: 'byVideo' } as const;
  return calendarFile({
    ...times,
    method,
    uid: calendarUid(bookingNumber),
    summary: say(locale, 'summary', { clinicName: name }),
    description: say(locale, 'text', { when: formatMoment(locale, times.start), phone, email }),
    location: mode === 'phone' || mode === 'video' ? say(locale, away[mode]) : address,
    organizer: { name, email },
    writtenAt,
  });
}
