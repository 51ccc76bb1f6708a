import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { onTestFinished } from 'vitest';

import { type FakeOptions, type ProfileName, credentials, startFakeOscar } from '../fake/index.ts';
import {
  type AppointmentDraft,
  type OscarOptions,
  appointmentType,
  createOscar,
  demographicNo,
  providerNo,
} from '../src/index.ts';

/** A Monday. */
export const MONDAY = '2026-11-23';
export const doctor = providerNo('101');
/** Avery Lindqvist, 9123456789 of BC. */
export const avery = demographicNo('1');

/** A fake of this profile and a client of it, as a clinic of that kind would set it up. */
export async function openClinic(
  profile: ProfileName,
  options: Partial<OscarOptions> = {},
  fakeOptions: Partial<FakeOptions> = {},
) {
  const fake = await startFakeOscar({ profile, today: MONDAY, ...fakeOptions });
  onTestFinished(() => fake.stop());
  const { consumer, token, soap } = credentials;
  const oscar = createOscar({
    base: fake.base,
    rest: { consumer, token },
    soap,
    hiddenProviders: [providerNo('200')],
    ...options,
  });
  return { fake, oscar };
}

export function draft(changes: Partial<AppointmentDraft> = {}): AppointmentDraft {
  return {
    key: 'key-1',
    providerNo: doctor,
    demographicNo: avery,
    patient: { firstName: 'Avery', lastName: 'Lindqvist' },
    span: { date: MONDAY, start: '09:00', end: '09:15' },
    type: appointmentType('Office Visit'),
    reason: 'Flu',
    ...changes,
  };
}

export const monday = { providers: [doctor], from: MONDAY, to: MONDAY };
export const tickler = {
  key: 'key-1',
  demographicNo: avery,
  assignedTo: doctor,
  text: 'ICBC answers are in',
  due: '2026-11-24',
} as const;

export interface Canned {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
  readonly location?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of a server that answers everything alike, for what the fake does not do by itself. */
export async function openCanned(
  answer: (path: string, body: string) => Canned | Promise<Canned>,
  options: Partial<OscarOptions> = {},
  tellBase: (base: string) => void = () => undefined,
) {
  const server = createServer((request, response) => {
    void text(request)
      .then((asked) => answer(request.url ?? '', asked))
      .then(({ status = 200, type = 'application/json', body, location, headers = {} }) => {
        const moved = location === undefined ? {} : { location };
        response.writeHead(status, { 'content-type': type, ...moved, ...headers }).end(body);
      });
  });
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  tellBase(`http://127.0.0.1:${port}/oscar`);
  const { consumer, token, soap } = credentials;
  return createOscar({
    base: `http://127.0.0.1:${port}/oscar`,
    rest: { consumer, token },
    soap,
    ...options,
  });
}
