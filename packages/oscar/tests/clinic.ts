import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

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
    soap: profile === 'kai' ? null : soap,
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

export interface Canned {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
  readonly location?: string;
}

/** A client of a server that answers everything alike, for what the fake does not do by itself. */
export async function openCanned(
  answer: (path: string) => Canned | Promise<Canned>,
  options: Partial<OscarOptions> = {},
) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      void Promise.resolve(answer(request.url ?? '')).then(
        ({ status = 200, type = 'application/json', body, location }) => {
          const moved = location === undefined ? {} : { location };
          response.writeHead(status, { 'content-type': type, ...moved }).end(body);
        },
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const { consumer, token } = credentials;
  return createOscar({
    base: `http://127.0.0.1:${port}/oscar`,
    rest: { consumer, token },
    soap: null,
    ...options,
  });
}
