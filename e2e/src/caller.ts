import { accessToken } from './sign-in.ts';

interface Slot {
  readonly doctor: string;
  readonly start: number;
}

/** A patient at another device, who books by the calls alone. */
export interface Caller {
  readonly token: string;
  readonly book: (slot: Slot, reason?: string) => Promise<CallerAnswer>;
  /** Gives a time back that this patient booked. */
  readonly cancel: (booked: CallerAnswer) => Promise<CallerAnswer>;
  readonly hold: (slot: Slot) => Promise<CallerAnswer>;
  readonly get: (path: string) => Promise<CallerAnswer>;
  /** Writes to the clinic. */
  readonly write: (message: string) => Promise<CallerAnswer>;
  /** Signs out everywhere. */
  readonly endSessions: () => Promise<CallerAnswer>;
}

export interface CallerAnswer {
  readonly status: number;
  readonly headers: Headers;
  // What stands in an answer is for each journey to say.
  readonly body: Readonly<Record<string, unknown>>;
}

const slotSeconds = 5 * 60;

/** Signs a practice account in over the calls. */
export async function callerAs(clinicUrl: string, email: string): Promise<Caller> {
  const token = await accessToken(clinicUrl, email);
  const call = async (method: string, path: string, body?: object): Promise<CallerAnswer> => {
    const answer = await fetch(`${clinicUrl}/api${path}`, {
      method,
      headers: { 'x-access-token': token, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: JSON.parse(text) as CallerAnswer['body'],
    };
  };
  const appointment = ({ doctor, start }: Slot) => ({
    doctor,
    start,
    end: start + slotSeconds,
    selectedType: 'O',
  });
  return {
    token,
    get: (path) => call('GET', path),
    endSessions: () => call('DELETE', '/me/sessions'),
    write: (message) => call('POST', '/message', { message }),
    hold: (slot) => call('POST', '/schedule/hold', appointment(slot)),
    cancel: ({ body }) => {
      const { appointment } = body['extras'] as { appointment: { id: string } };
      return call('DELETE', `/schedule/${appointment.id}`);
    },
    book: (slot, reason = 'a cough') =>
      call('POST', '/schedule/create', { ...appointment(slot), reason }),
  };
}
