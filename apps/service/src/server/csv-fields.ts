import {
  APPOINTMENT_TYPE_CODES,
  ELIGIBILITIES,
  SLOT_CODES,
  centsOf,
  isAppointmentTypeCode,
  isClinicDate,
  isEligibility,
  isSlotCode,
} from '@clinic/domain';
import type { AppointmentTypeCode, Eligibility, SlotCode } from '@clinic/domain';

import type { FieldRead, Column } from './csv-table.ts';

const value = <T>(read: T): FieldRead<T> => ({ kind: 'value', value: read });
const problem = (why: string): FieldRead<never> => ({ kind: 'problem', why });
const shown = (text: string) => `'${text.slice(0, 40)}'`;

/** Words for people; control characters and the marks that spreadsheets run are refused. */
export function words(most: number, { empty = false } = {}): Column<string> {
  return {
    ...(empty ? { optional: true as const } : {}),
    read(text) {
      if (text === '' && !empty) return problem('is empty');
      if (Array.from(text).length > most) return problem(`is longer than ${most} characters`);
      return /\p{Cc}/u.test(text) ? problem('holds a control character') : value(text);
    },
  };
}

export const identifier: Column<string> = {
  read: (text) =>
    /^[\w.-]{1,40}$/.test(text)
      ? value(text)
      : problem(`must be 1 to 40 letters, digits, dots or dashes, not ${shown(text)}`),
};

/** 'yes' or 'no'; empty is no. */
export const yesOrNo: Column<boolean> = {
  optional: true,
  read(text) {
    const said = text.toLowerCase();
    if (said === 'yes') return value(true);
    return said === 'no' || said === ''
      ? value(false)
      : problem(`must be yes or no, not ${shown(text)}`);
  },
};

export const providerStatus: Column<string> = {
  optional: true,
  read(text) {
    if (text === '') return value('1');
    return text === '1' || text === '0'
      ? value(text)
      : problem(`must be 1 (active) or 0, not ${shown(text)}`);
  },
};

export const date: Column<string> = {
  read: (text) =>
    isClinicDate(text)
      ? value(text)
      : problem(`must be a date such as 2026-12-01, not ${shown(text)}`),
};

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/** 0 is Sunday. */
export const weekday: Column<number> = {
  read(text) {
    const found = WEEKDAYS.indexOf(text.toLowerCase());
    return found < 0
      ? problem(`must be a weekday such as Monday, not ${shown(text)}`)
      : value(found);
  },
};

/** Wall time on the 5-minute grid. */
export const gridTime: Column<string> = {
  read(text) {
    if (!/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text))
      return problem(`must be a time such as 09:30, not ${shown(text)}`);
    return Number(text.slice(3)) % 5 === 0
      ? value(text)
      : problem(`must lie on the 5-minute grid, not ${shown(text)}`);
  },
};

export const slotCode: Column<SlotCode> = {
  read: (text) =>
    isSlotCode(text)
      ? value(text)
      : problem(`must be one of ${SLOT_CODES.join(', ')}, not ${shown(text)}`),
};

export const typeCode: Column<AppointmentTypeCode> = {
  read: (text) =>
    isAppointmentTypeCode(text)
      ? value(text)
      : problem(`must be one of ${APPOINTMENT_TYPE_CODES.join(', ')}, not ${shown(text)}`),
};

export const eligibility: Column<Eligibility> = {
  read: (text) =>
    isEligibility(text)
      ? value(text)
      : problem(`must be one of ${ELIGIBILITIES.join(', ')}, not ${shown(text)}`),
};

/** Dollars such as 10 or 10.00, read as cents. */
export const dollars: Column<number> = {
  read(text) {
    const cents = /^\d{1,4}(\.\d{2})?$/.test(text) ? centsOf(Number(text)) : null;
    return cents === null
      ? problem(`must be an amount in dollars such as 10.00, not ${shown(text)}`)
      : value(cents);
  },
};

export const phone: Column<string> = {
  optional: true,
  read: (text) =>
    /^[\d ()+.-]{0,30}$/.test(text)
      ? value(text)
      : problem(`must be a phone number, not ${shown(text)}`),
};
