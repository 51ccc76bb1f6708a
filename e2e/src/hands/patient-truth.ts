import type {
  ApiAppointment,
  ApiHold,
  ApiMessage,
  ApiMessageThread,
  ApiUser,
} from '@clinic/contract';

/** All that a patient's hands can change. */
export interface PatientTruth {
  /** When the held time begins, in epoch seconds. */
  readonly held: number | null;
  /** Starts of what is booked. */
  readonly standing: readonly number[];
  readonly cancelled: number;
  readonly moved: number;
  /** Paid and not given back, in CAD, of what is booked. */
  readonly paid: number;
  /** Every text that the patient wrote, with the number of its files. */
  readonly texts: readonly string[];
  readonly profile: Omit<ApiUser, 'appointmentType' | 'formVersion'>;
  /** Subjects of the emails to the patient. */
  readonly mails: readonly string[];
  readonly sessions: number;
}

/** Reads it beside every page. */
export function patientTruth(
  clinicUrl: string,
  email: string,
  token: string,
): () => Promise<PatientTruth> {
  const get = async <T>(path: string) => {
    const headers = { 'x-access-token': token, 'x-background': '1' };
    return (await (await fetch(`${clinicUrl}/api${path}`, { headers })).json()) as T;
  };
  const texts = async () => {
    const { messages } = await get<{ messages: ApiMessage[] }>('/message/?limit=50');
    const threads = await Promise.all(
      messages.map(({ id }) => get<{ extras: { message: ApiMessageThread } }>(`/message/${id}`)),
    );
    return threads
      .flatMap(({ extras }) => extras.message.entries)
      .flatMap(({ from, message, files }) =>
        from === 'patient' ? [`${message} (${files.length} files)`] : [],
      )
      .toSorted();
  };
  const mails = async () => {
    const page = await (await fetch(`${clinicUrl}/practice/mail`)).text();
    return page
      .split('<article>')
      .filter((each) => each.includes(`To ${email},`))
      .map((each) => /<h2>(.*?) - /.exec(each)?.[1] ?? '')
      .toSorted();
  };
  return async () => {
    const [{ extras }, { appointments }, user, { extras: signedIn }] = await Promise.all([
      get<{ extras: { hold: ApiHold | null } }>('/schedule/hold'),
      get<{ appointments: ApiAppointment[] }>('/me/appointments?all=true'),
      get<ApiUser>('/me'),
      get<{ extras: { sessions: unknown[] } }>('/me/sessions'),
    ]);
    const standing = appointments.filter(
      ({ status }) => status === 'booked' || status === 'registered',
    );
    const ended = appointments.filter(({ endedAt }) => endedAt !== undefined);
    const { appointmentType: _types, formVersion: _version, ...profile } = user;
    return {
      held: extras.hold?.start ?? null,
      standing: standing.map(({ startTime }) => startTime).toSorted((one, two) => one - two),
      cancelled: ended.filter(({ movedTo }) => movedTo === undefined).length,
      moved: ended.filter(({ movedTo }) => movedTo !== undefined).length,
      paid: standing.reduce((sum, { receipt }) => sum + (receipt?.amount ?? 0), 0),
      texts: await texts(),
      profile,
      mails: await mails(),
      sessions: signedIn.sessions.length,
    };
  };
}
