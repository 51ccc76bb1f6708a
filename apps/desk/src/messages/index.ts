import { booking } from './booking.ts';
import { day } from './day.ts';
import { frame } from './frame.ts';

/** Every word of the front desk's pages, by screen. */
export const desk = { ...frame, ...day, ...booking } as const;
