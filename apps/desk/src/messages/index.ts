import { appointment } from './appointment.ts';
import { audit } from './audit.ts';
import { booking } from './booking.ts';
import { day } from './day.ts';
import { everyPage } from './every-page.ts';
import { frame } from './frame.ts';
import { inbox } from './inbox.ts';
import { money } from './money.ts';
import { myDay } from './my-day.ts';
import { patients } from './patients.ts';
import { print } from './print.ts';
import { reports } from './reports.ts';
import { schedule } from './schedule.ts';
import { setUp } from './set-up.ts';
import { trail } from './trail.ts';

/** Every word of the front desk's pages, by screen. The sign-in has those of `frame` alone. */
export const desk = {
  ...frame,
  ...everyPage,
  ...day,
  ...appointment,
  ...booking,
  ...myDay,
  ...schedule,
  ...inbox,
  ...patients,
  ...audit,
  ...money,
  ...print,
  ...reports,
  ...setUp,
  ...trail,
} as const;
