import type { CallId } from '@clinic/contract';
import type { Socket } from 'socket.io-client';
import { PATIENT_EVENTS, type PatientChange } from '../src/database/changes.store.ts';
import { listensAt } from '../testing/live-socket.ts';
import { type TestApp, ask } from '../testing/index.ts';

export type PatientEvent = PatientChange['event'];

/** A page of a patient: its session, and what it was told since that was read last. */
export interface OpenPage {
  readonly token: string;
  readonly socket: Socket;
  readonly heard: Set<PatientEvent>;
  /** Settles once the service has closed its socket. */
  readonly closed: Promise<void>;
}

export async function openPage(url: string, token: string): Promise<OpenPage> {
  const socket = await listensAt(url, token);
  const heard = new Set<PatientEvent>();
  for (const event of PATIENT_EVENTS) socket.on(event, () => heard.add(event));
  const closed = new Promise<void>((resolve) => socket.once('disconnect', () => resolve()));
  return { token, socket, heard, closed };
}

/** Waits until the pages have heard all that was committed before: what is sent last comes last. */
export async function haveHeard(
  { platform: { realtime } }: Pick<TestApp, 'platform'>,
  pages: readonly OpenPage[],
): Promise<void> {
  await realtime.lookAtPatients();
  const last = pages.map(
    ({ socket, closed }) =>
      new Promise<void>((resolve) => {
        socket.once('bookingPaused', resolve);
        void closed.then(resolve);
      }),
  );
  realtime.say('bookingPaused');
  await Promise.all(last);
}

/** The reads with which a page shows a patient's own things, by the event that tells of a change. */
const READS: Readonly<Record<PatientEvent, readonly CallId[]>> = {
  appointments: ['listAppointments', 'readHold'],
  messages: ['listMessages'],
  account: ['getMe', 'shouldUploadDocument', 'readMedicalProfile', 'listSessions'],
};

/** All that a page of the patient shows of one kind, read as a page reads that was told of a change. */
export async function shown(clinic: TestApp, token: string, event: PatientEvent): Promise<string> {
  const answers = await Promise.all(
    READS[event].map((id) => ask(clinic, id, { token, headers: { 'x-background': '1' } })),
  );
  return answers.map(({ body }) => body.replaceAll(OF_THE_ASKER, '')).join('\n');
}
/** Of a session in the list of sessions: whether it asks, and when it did last. */
const OF_THE_ASKER = /"(lastActiveAt":\d+|current":(true|false)),?/g;
