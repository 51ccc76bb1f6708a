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
  /** On a holiday of the clinic there are no steps, although OSCAR lists them. */
  readonly isHoliday: boolean;
  readonly stepMinutes: number;
  /** The steps of work, by their start. */
  readonly steps: readonly { readonly start: string; readonly code: TemplateCode }[];
}

export interface TemplateCodeInfo {
  readonly code: TemplateCode;
  readonly description: string;
  /** Null where the clinic left it empty: then one step of the template. */
  readonly minutes: number | null;
  /** What OSCAR's own pages go by; no web service enforces either. */
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
     * SOAP: REST has no template at all. One call a provider and day, so it is kept for a minute.
     * Null where the provider has no schedule that day, and where there is no SOAP.
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

    /** REST: SOAP has the same. A code that the clinic has twice comes twice, as it stands there. */
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

    /** REST: SOAP has the same. Names that an appointment may carry; no template code among them. */
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

/** SOAP gives the number of the character: 67 is C. Null for the one that means no work. */
function codeOf(value: unknown): TemplateCode | null {
  const text = textOf(value);
  const character = /^\d{2,}$/.test(text) ? String.fromCodePoint(Number(text)) : text.trim();
  return character === '' || character === '_' ? null : templateCode(character);
}
