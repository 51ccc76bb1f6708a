import type { ApiAppointment, ApiHold } from '@clinic/contract';
import { formatMoment } from '@clinic/texts';

/** What the service knows of a patient, as far as pages claim something of it. */
export interface Truth {
  /** When the held time begins, in the words of the pages; null without a hold. */
  readonly held: string | null;
  readonly appointments: readonly Known[];
  readonly messages: number;
  readonly city: string;
}

interface Known {
  readonly id: string;
  readonly when: string;
  readonly stands: boolean;
}

export const standing = ({ appointments }: Truth) =>
  appointments.flatMap(({ when, stands }) => (stands ? [when] : [])).toSorted();

/** A patient whom the service is asked about and told of, beside every page. */
export interface Asked {
  readonly truth: () => Promise<Truth>;
  /** Gives back whatever is held, and cancels what can be cancelled. */
  readonly tidy: () => Promise<void>;
}

export function askedAs(clinicUrl: string, token: string): Asked {
  const call = async <T>(path: string, method = 'GET') => {
    const headers = { 'x-access-token': token, 'x-background': '1' };
    const answer = await fetch(`${clinicUrl}/api${path}`, { method, headers });
    return (await answer.json()) as T;
  };
  const listed = async () =>
    (await call<{ appointments: ApiAppointment[] }>('/me/appointments')).appointments;
  const stands = ({ status }: ApiAppointment) => status === 'booked' || status === 'registered';
  return {
    truth: async () => {
      const [{ extras }, appointments, { total }, { city }] = await Promise.all([
        call<{ extras: { hold: ApiHold | null } }>('/schedule/hold'),
        listed(),
        call<{ total: number }>('/message/?limit=1'),
        call<{ city: string }>('/me'),
      ]);
      return {
        held: extras.hold && formatMoment('en', extras.hold.start),
        appointments: appointments.map((each) => ({
          id: each.id,
          when: formatMoment('en', each.startTime),
          stands: stands(each),
        })),
        messages: total,
        city,
      };
    },
    tidy: async () => {
      await call('/schedule/hold', 'DELETE');
      for (const each of await listed())
        if (stands(each) && each.isCancellable) await call(`/schedule/${each.id}`, 'DELETE');
    },
  };
}
