import {
  type AppointmentType,
  type ProviderNo,
  type TemplateCode,
  appointmentType,
  templateCode,
} from './alphabets.ts';
import { OscarFault } from './errors.ts';
import type { Link } from './link.ts';
import { fieldsOf, isTrue, manyOf, numberOf, textOf } from './reading.ts';
import { clockOf, minuteOf } from './wall-clock.ts';

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
  /** Used by OSCAR's own pages; no web service enforces release or limit. */
  readonly release: string;
  readonly bookingLimit: number | null;
}

export interface AppointmentTypeInfo {
  readonly type: AppointmentType;
  readonly minutes: number | null;
}

export function scheduleCalls({ rest, soap, cached }: Link) {
  return {
    /**
     * SOAP only: REST has no templates. One call a provider and day, so it is cached for a minute. Null when
     * the provider has no schedule that day, and without SOAP.
     */
    async dayTemplate(providerNo: ProviderNo, date: string): Promise<DayTemplate | null> {
      if (soap === null) return null;
      return cached(`template ${providerNo} ${date}`, 60, async () => {
        const [answer] = await soap.call({
          service: 'ScheduleService',
          operation: 'getDayWorkSchedule',
          args: [providerNo, `${date}T00:00:00`],
        });
        return answer === undefined ? null : templateOf(providerNo, date, answer);
      });
    },

    /** REST; SOAP has the same. A code that the clinic has twice comes twice. */
    async templateCodes(): Promise<readonly TemplateCodeInfo[]> {
      return cached('codes', 600, async () => {
        const answer = await rest.call({ call: 'codes', path: '/schedule/codes' });
        return manyOf(answer).flatMap((each) => {
          const code = codeOf(each.code);
          return code === null
            ? []
            : [
                {
                  code,
                  description: textOf(each.description),
                  minutes: numberOf(each.duration),
                  release: textOf(each.confirm),
                  bookingLimit: numberOf(each.bookinglimit),
                },
              ];
        });
      });
    },

    /** REST; SOAP has the same. The names that an appointment may carry; they are no template codes. */
    async appointmentTypes(): Promise<readonly AppointmentTypeInfo[]> {
      return cached('types', 600, async () => {
        const answer = await rest.call({ call: 'types', path: '/schedule/types' });
        return manyOf(fieldsOf(answer).types).map((each) => ({
          type: appointmentType(textOf(each.name)),
          minutes: numberOf(each.duration),
        }));
      });
    },
  };
}

function templateOf(providerNo: ProviderNo, date: string, answer: unknown): DayTemplate {
  const { holiday, timeSlotDurationMin, timeSlots } = fieldsOf(answer);
  const stepMinutes = numberOf(timeSlotDurationMin);
  const isHoliday = isTrue(holiday);
  const steps = manyOf(timeSlots).flatMap((each) => {
    const code = codeOf(each.scheduleCode);
    return code === null ? [] : [{ start: clockOf(minuteOf(each.date)), code }];
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
