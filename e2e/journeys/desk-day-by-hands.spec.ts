import { type BrowserContext, expect, type Page } from '@playwright/test';

import { chanceOf } from '../faults/chance.ts';
import { deskActs } from '../src/hands/desk-acts.ts';
import { peopleOf } from '../src/hands/desk-people.ts';
import type { DeskAct } from '../src/hands/desk-steps.ts';
import { type Desk, deskOf, type Shown, TODAY } from '../src/hands/desk-truth.ts';
import { patientActs } from '../src/hands/patient-acts.ts';
import { patientTruth, type PatientTruth } from '../src/hands/patient-truth.ts';
import { tellByHand } from '../src/hands/story.ts';
import { watchPresses } from '../src/hands/watch.ts';
import { listenForErrors, test } from '../src/journey.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { openSecondReceptionist } from '../src/second-receptionist.ts';
import { openSignedInAtDesk } from '../src/sign-in-at-desk.ts';
import { accessToken, signIn } from '../src/sign-in.ts';
import { untilTrue } from '../src/stories/tell.ts';
import { askedAs, type Asked } from '../src/stories/truth.ts';

test.use({ isUnhurried: false, alone: true });

const ROUNDS = process.env['LONG'] ? 12 : 2;
const DAY = `/desk/day/${TODAY}`;
const PATIENTS = ['new3', 'new4', 'new5'].map((name) => `${name}@practice.example`);

/** What each of the staff does of what can be done at the front desk. */
const DOES: Readonly<Record<string, RegExp>> = {
  robin: /^(books|moves|cancels|notes|takes a fee|locks|calls|answers|drags|blocks)/,
  kim: /^(books|moves|cancels|notes|keeps a reply|assigns|drags|closes a message)/,
  stone: /^(notes who has come|notes somebody else|locks)/,
  morgan: /./,
};

// Shows: S-18, R-44
test('a day of two receptionists, a clinician, a manager and three patients by hand: only what was meant is done, all of it, and no page says what is not so', async ({
  browser,
  clinic,
}) => {
  test.slow();
  const { url } = clinic;
  const opened: { context: BrowserContext; failures: string[] }[] = [];
  const open = async () => {
    const context = await browser.newContext({ baseURL: url, reducedMotion: 'reduce' });
    opened.push({ context, failures: listenForErrors(context) });
    await watchPresses(context, opened.length);
    return context;
  };
  const atDesk = async (email: string) => openSignedInAtDesk(await open(), url, email, DAY);
  const morgan = await atDesk('morgan@practice.example');
  const staff: Record<string, { email: string; page: Page }> = {};
  for (const name of ['robin', 'stone']) {
    const email = `${name}@practice.example`;
    staff[name] = { email, page: await atDesk(email) };
  }
  const kim = await openSecondReceptionist(morgan, await open(), DAY);
  staff['kim'] = kim;
  staff['morgan'] = { email: 'morgan@practice.example', page: morgan };
  const people = await peopleOf(morgan, clinic);
  const others = Object.values(staff).flatMap(({ page }) => (page === morgan ? [] : [page]));
  const desk = deskOf(morgan, { providers: ['101'], closingId: people.toCall.id, others });
  const patients: Patient[] = [];
  for (const email of PATIENTS) patients.push(await openPatient(await open(), url, email));
  const chance = chanceOf('day by hands', 417_220_031);
  const everybody = [...Object.keys(staff), ...PATIENTS];

  for (let round = 0; round < ROUNDS; round += 1)
    for (const name of everybody.toSorted(() => chance.next() - 0.5)) {
      const turn = chance.fork(`${round} ${name}`);
      const sits = staff[name];
      const patient = patients.find(({ email }) => email === name);
      if (sits) {
        const own = name === 'stone' ? ownOf(desk) : desk;
        await tellByHand({
          ...sits,
          chance: turn,
          acts: actsOf(deskActs(own, people), DOES[name] ?? /./),
          read: desk.read,
          settle: desk.settle,
          length: 1,
        });
      } else if (patient) {
        const { email, page, read } = patient;
        const before = await desk.read();
        await tellByHand({ page, chance: turn, acts: patientActs(email), read, length: 1 });
        // No colleague did anything.
        expect((await desk.read()).trail).toEqual(before.trail);
      }
      for (const { asked, page } of patients) await untilTrue({ [name]: page }, asked);
      for (const each of Object.values(staff)) await expectTrueSheet(each.page, desk.sheet);
    }
  for (const { context, failures } of opened) {
    await context.close();
    expect(failures).toEqual([]);
  }
});

const actsOf = (
  acts: Readonly<Record<string, DeskAct>>,
  which: RegExp,
): Readonly<Record<string, DeskAct>> =>
  Object.fromEntries(Object.entries(acts).filter(([name]) => which.test(name)));

interface Patient {
  readonly email: string;
  readonly page: Page;
  readonly read: () => Promise<PatientTruth>;
  readonly asked: Asked;
}

/** A patient at home, in a browser of their own. */
async function openPatient(context: BrowserContext, url: string, email: string): Promise<Patient> {
  await signIn(context, url, email);
  const page = await context.newPage();
  await page.goto('/');
  await ChooseType.arrive(page);
  // Whoever reads is signed in for themselves, as the patient may sign out.
  const token = await accessToken(url, email);
  return { email, page, read: patientTruth(url, email, token), asked: askedAs(url, token) };
}

/** What a clinician has of it: their own day. */
const ownOf = (desk: Desk): Desk => ({
  ...desk,
  sheet: async () => (await desk.sheet()).filter(({ providerId }) => providerId === '101'),
});

/** Every sheet that is open says who stands on it, when, and how far they have come. */
async function expectTrueSheet(page: Page, sheet: Desk['sheet']): Promise<void> {
  if (!page.url().includes(DAY)) return;
  await expect(async () => {
    const all = (await sheet()).filter(({ date, patient }) => date === TODAY && patient !== null);
    const said = await page
      .locator('[id^="appointment-"]')
      .evaluateAll((entries) => entries.map((each) => [each.id, each.textContent ?? ''] as const));
    const wrong = said.flatMap(([id, words]) => {
      const one = all.find((each) => `appointment-${each.id}` === id);
      return one && words.includes(one.patient ?? '') && words.includes(SAYS[one.attendance])
        ? []
        : [`${words} (${one?.patient}, ${one?.attendance})`];
    });
    expect(wrong).toEqual([]);
    const columns = new Set(
      all.flatMap((each) => (said.some(([id]) => id.endsWith(each.id)) ? [each.providerId] : [])),
    );
    const missing = all.filter(
      (each) => columns.has(each.providerId) && !said.some(([id]) => id.endsWith(each.id)),
    );
    expect(missing).toEqual([]);
  }).toPass({ timeout: 40_000 });
}

const SAYS: Readonly<Record<Shown['attendance'], string>> = {
  expected: 'Expected',
  arrived: 'Arrived',
  inRoom: 'In the room',
  completed: 'Seen',
  noShow: 'Did not come',
};
