import {
  type AppointmentType,
  type ProviderNo,
  type TemplateCode,
  appointmentType,
  templateCode,
} from './alphabets.ts';
import { OscarFault } from './errors.ts';
import type { Link } from './link.ts';
import { type Fields, fieldsOf, isTrue, listOf, numberOf, textOf } from './reading.ts';
import { clockOf, momentOf } from './wall-clock.ts';

export interface DayTemplate {
  readonly providerNo: ProviderNo;
  readonly date: string;
  /** On a holiday of the clinic `steps` is empty, although OSCAR lists them. */
  readonly isHoliday: boolean;
  readonly stepMinutes: number;
  /** The working steps, by their start. */
  readonly steps: readonly { readonly start: string; readonly code: TemplateCode }[];
}

export interface TemplateCodeInfo {
  readonly code: TemplateCode;
  readonly description: string;
  /** Null when the clinic left it empty: the length is then one step of the template. */
  readonly minutes: number | null;
}

export function scheduleCalls({ soap }: Link) {
  const schedule = async (operation: string, args: readonly unknown[] = []) =>
    (await soap.call({ service: 'ScheduleService', operation, args })).map(fieldsOf);

  return {
    /** SOAP. One call a provider and day. Null when the provider has no schedule that day. */
    async dayTemplate(providerNo: ProviderNo, date: string): Promise<DayTemplate | null> {
      const [answer] = await schedule('getDayWorkSchedule', [providerNo, `${date}T00:00:00`]);
      return answer === undefined ? null : templateOf(providerNo, date, answer);
    },

    /** SOAP. A code that the clinic has twice comes twice. */
    async templateCodes(): Promise<readonly TemplateCodeInfo[]> {
      return (await schedule('getScheduleTemplateCodes')).flatMap((each) => {
        const code = codeOf(each.code);
        const [description, minutes] = [textOf(each.description), numberOf(each.duration)];
        return code === null ? [] : [{ code, description, minutes }];
      });
    },

    /** SOAP. The names that an appointment may carry; they are no template codes. */
    async appointmentTypes(): Promise<readonly AppointmentType[]> {
      return (await schedule('getAppointmentTypes')).map(({ name }) =>
        appointmentType(textOf(name)),
      );
    },
  };
}

function templateOf(providerNo: ProviderNo, date: string, answer: Fields): DayTemplate {
  const { holiday, timeSlotDurationMin, timeSlots } = answer;
  const stepMinutes = numberOf(timeSlotDurationMin);
  const isHoliday = isTrue(holiday);
  const steps = listOf(timeSlots).flatMap((each) => {
    const code = codeOf(each.scheduleCode);
    return code === null ? [] : [{ start: clockOf(momentOf(each.date).minute), code }];
  });
  if (steps.length > 0 && (stepMinutes === null || stepMinutes <= 0))
    throw new OscarFault('OSCAR answered with a template without the length of its steps');
  return {
    providerNo,
    date,
    isHoliday,
    stepMinutes: stepMinutes ?? 0,
    steps: isHoliday ? [] : steps,
  };
}

/** SOAP gives the character's number: 67 is C. Null for a blank and for the character that means no work. */
function codeOf(value: unknown): TemplateCode | null {
  const text = textOf(value);
  const character = (/^\d{2,}$/.test(text) ? String.fromCodePoint(Number(text)) : text).trim();
  return character === '' || character === '_' ? null : templateCode(character);
}
