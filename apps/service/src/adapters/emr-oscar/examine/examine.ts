import {
  type Calls,
  type Connecting,
  type DayTemplate,
  type Oscar,
  OscarFault,
  OscarOffline,
  type Program,
  type Provider,
  type SecurityObject,
} from '@clinic/oscar';
import { offsetAt, toClinic } from '@clinic/domain';

import { seesPatients } from '../schedule.ts';
import { CONNECT_AGAIN, SECONDS_APART } from '../signature.ts';
import { failed, whyRefused } from './cures.ts';
import { type Finding, type Found, lookAt, right, wrong } from './finding.ts';
import {
  type Known,
  checkCodes,
  checkProviders,
  checkSites,
  checkTemplates,
  checkTicklers,
  checkTypes,
  week,
} from './set-up.ts';
import { testAppointment } from './test-appointment.ts';

/** The clinic's access, as far as it is looked at. */
type Access = Connecting & { readonly programId: number };

/**
 * What `emr check` finds. A question that fails becomes a finding, and the others are still asked, but where OSCAR
 * cannot be reached at all: that is said once. Nothing is written but for the test patient.
 */
export async function examineOscar(
  oscar: Oscar,
  access: Access,
  known: Known,
): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  let isSilent = false;
  const look = async (what: string, ask: () => Promise<Found | readonly Found[]>) => {
    try {
      found.push(...[await ask()].flat().map((each) => ({ what, ...each })));
    } catch (error) {
      const why = failed(error);
      // Silence is said once, whatever was asked.
      isSilent ||= error instanceof OscarOffline;
      if (found.some(({ cure }) => cure === why.cure && isSilent)) return;
      found.push({ what, state: 'wrong', ...why });
    }
  };
  const { urgent } = oscar;
  let apart = 0;
  let isLoginTaken = false;
  await look('login', async () => {
    apart = Math.round(Math.abs((await urgent.checkLogin()) / 1000 - known.now));
    isLoginTaken = true;
    return right('SOAP answers, and takes it');
  });
  if (isSilent) return found;
  let isTokenTaken = false;
  await look('token', async () => {
    try {
      const isWhole = await urgent.checkToken();
      isTokenTaken = true;
      if (isWhole) return right('REST answers, and takes it');
      return lookAt(
        'REST takes it, and holds it to less than is asked: no tickler is written',
        `${CONNECT_AGAIN}, and approve all`,
      );
    } catch (error) {
      if (error instanceof OscarOffline) throw error;
      const why = await whyRefused(error, access, apart);
      return wrong(why.says, why.cure);
    }
  });
  // All else is asked by SOAP.
  if (!isLoginTaken) return found;
  await look('clock', async () => [
    clockApart(apart),
    ...zone(await urgent.zoneOffset(), known.now),
  ]);
  await look('rights', async () => [
    await mayRead(urgent),
    ...(isTokenTaken ? await Promise.all(objects.map((each) => mayWrite(urgent, each))) : []),
  ]);
  await look('programme', async () => programme(await urgent.programs(), access.programId));
  let people: readonly Provider[] = [];
  let all: readonly Provider[] = [];
  await look('providers', async () => {
    all = (await urgent.providers()).filter(({ active }) => active);
    people = all.filter(seesPatients);
    return checkProviders(all, await urgent.providerNumbers(), known);
  });
  await look('ticklers', async () => checkTicklers(all, known.ticklersTo));
  await look('sites', () => checkSites(urgent, people, known));
  let days: readonly DayTemplate[] = [];
  await look('templates', async () => {
    days = await week(urgent, people, toClinic(known.now).date);
    return checkTemplates(days, people, known);
  });
  await look('codes', async () => checkCodes(days, await urgent.templateCodes(), known.codes));
  let names: readonly string[] = [];
  await look('types', async () => {
    names = await urgent.appointmentTypes();
    return checkTypes(names, known.types);
  });
  const { testPatient } = known;
  if (testPatient !== null)
    await look('appointment', () =>
      testAppointment(oscar, people, names[0] ?? '', { ...known, testPatient }),
    );
  return found;
}

function clockApart(seconds: number): Found {
  const says = `OSCAR’s is ${seconds} s from ours`;
  if (seconds <= 120) return right(says);
  const cure = 'Let both machines follow a time server: timedatectl set-ntp true';
  return seconds <= SECONDS_APART ? lookAt(says, cure) : wrong(says, cure);
}

const inHours = (minutes: number) => {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (part: number) => String(part).padStart(2, '0');
  return `UTC${minutes < 0 ? '−' : '+'}${two(hours)}:${two(rest)}`;
};

/** OSCAR's digits count, whatever zone it believes in; where that has other clock changes, two days are an hour off. */
function zone(offset: number | null, now: number): readonly Found[] {
  const ours = offsetAt(now);
  if (offset === null) return [];
  if (offset === ours) return [right(`its zone is the clinic’s, ${inHours(ours)}`)];
  return [
    lookAt(
      `its Java believes in ${inHours(offset)}, and the clinic has ${inHours(ours)}: its times are taken by their digits, and are an hour off on the days on which it changes its clocks`,
      'Give OSCAR’s Java zone data of 2026 or later, and the zone of the clinic',
    ),
  ];
}

/** What is not done where the token's provider may not write to it. */
const LACKING_RIGHT = {
  _appointment: 'changes of a status go by SOAP, which writes the whole row',
  _demographic: 'no chart is opened for a new patient',
  _tickler: 'no tickler is written',
  _edoc: 'no document is filed',
} as const satisfies Record<SecurityObject, string>;
const objects = Object.keys(LACKING_RIGHT) as SecurityObject[];

/** By SOAP the schedule asks for no right, and patients for this one. */
async function mayRead(oscar: Calls): Promise<Found> {
  try {
    await oscar.findByNumber('0000000000');
    return right('the login may look for patients');
  } catch (error) {
    if (!(error instanceof OscarFault)) throw error;
    return wrong(
      'the login may not look for patients',
      'Give the provider of the login a role with _demographic to read and to write',
    );
  }
}

async function mayWrite(oscar: Calls, object: SecurityObject): Promise<Found> {
  const may = await oscar.mayWrite(object);
  if (may === true) return right(`the token may write to ${object}`);
  if (may === null) return lookAt(`OSCAR does not say whether the token may write to ${object}`);
  const says = `the token may not write to ${object}: ${LACKING_RIGHT[object]}`;
  const cure = `Give the provider who gave consent a role with ${object} to read and to write`;
  return object === '_appointment' ? lookAt(says, cure) : wrong(says, cure);
}

/** OSCAR takes any number, and then nobody sees the chart in the programme that was meant. */
function programme(all: readonly Program[] | null, id: number): Found {
  if (all === null) return lookAt(`OSCAR does not list its programmes, so nobody knows of ${id}`);
  const own = all.find((each) => each.id === id);
  const others = all.filter(({ active }) => active).map((each) => `${each.id} ${each.name}`);
  if (own?.active === true) return right(`${id} ${own.name}`);
  return wrong(
    own === undefined ? `OSCAR has no programme ${id}` : `${id} ${own.name} is not active`,
    `Put one of these into programId of the file, and connect again: ${others.join(', ') || 'it has none'}`,
  );
}
