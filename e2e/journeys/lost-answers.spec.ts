import type { BrowserContext, Page, Route } from '@playwright/test';

import { type Chance, chanceOf } from '../faults/chance.ts';
import { expect, test } from '../src/journey.ts';
import { Appointments } from '../src/pages/appointments.ts';
import { Booked } from '../src/pages/booked.ts';
import { ChooseType } from '../src/pages/choose-type.ts';
import { Confirm } from '../src/pages/confirm.ts';
import { practiceCards } from '../src/pages/payment.ts';
import { expectHeading } from '../src/pages/screen.ts';
import { SlotGrid } from '../src/pages/slot-grid.ts';
import { said } from '../src/said.ts';

/** Each deed, with an appointment and with a paid one; with LONG=1 twice. */
const PATIENTS = process.env['LONG'] ? 20 : 11;
const patientOf = (run: number) => `new${(run % 9) + 1}@practice.example`;

/** Where the API breaks: the service may have done it, and the page does not hear of it. */
const CUTS = ['lost', 'broken', 'never'] as const;
type Cut = (typeof CUTS)[number];

/** What a patient does who is told that we are checking. */
const DEEDS = ['wait', 'reload', 'another time', 'second tab', 'My Appointments'] as const;

/** A page that tells what was not known breaks the journey. */
function expectNothingUntrue(): void {
  const look = () => {
    if (/Not (booked|paid) yet|unknown error/.test(document.body?.innerText ?? ''))
      throw new Error(`Told as a fact: ${document.body.innerText}`);
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true });
}

/** Cuts the first answers to a call as `cuts` says; after `mend` nothing is cut. */
async function cutting(
  context: BrowserContext,
  path: string,
  method: string,
  cuts: () => Cut | null,
) {
  let mended = false;
  const cut = async (route: Route) => {
    const how = mended || route.request().method() !== method ? null : cuts();
    if (how === null) return route.fallback();
    if (how !== 'never') await route.fetch().catch(() => undefined);
    const lost =
      how === 'broken'
        ? route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' })
        : route.abort();
    // The page may have been left meanwhile.
    await lost.catch(() => undefined);
  };
  await context.route(path, cut);
  return {
    mend: () => {
      mended = true;
    },
    stop: () => context.unroute(path, cut),
  };
}

/** So many cuts, then none. */
function some(chance: Chance): () => Cut | null {
  let left = 1 + Math.floor(chance.between(0, 2));
  return () => (left-- > 0 ? chance.pick(CUTS) : null);
}

interface Wish {
  readonly type: string;
  readonly call: string;
  /** From confirm on to the press whose answer is cut. */
  readonly send: (confirm: Confirm) => Promise<void>;
}

const appointment: Wish = {
  type: 'In-person visit',
  call: '**/api/schedule/create',
  send: async (confirm) => (await confirm.next('a sore knee')).press('Agree'),
};

const paidAppointment: Wish = {
  type: 'Private visit',
  call: '**/api/services/charge',
  send: async (confirm) => {
    const payment = await confirm.toPayment('a sore knee', { warned: true });
    await payment.payWith(practiceCards.good);
  },
};

/** The times of tomorrow, which can still be cancelled. */
async function tomorrow(page: Page): Promise<SlotGrid> {
  const grid = await SlotGrid.arrive(page);
  const day = 'Available times on Sun Nov 22';
  if ((await grid.range.textContent()) !== day) await grid.press('Next Day');
  await expect(grid.range).toHaveText(day);
  await expect(grid.chips().first()).toBeVisible();
  return grid;
}

async function toConfirm(page: Page, { type }: Wish): Promise<Confirm> {
  await (await ChooseType.arrive(page)).search(type);
  return (await (await tomorrow(page)).pickFirst()).confirm;
}

/** Picks another time; the patient sees what stands, or goes on and books that one. */
async function another(page: Page, wish: Wish, mend: () => void): Promise<void> {
  const grid = await tomorrow(page);
  await grid.chips().last().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(ends);
  mend();
  await toTheEnd(page, wish);
}

/** Where a time that was picked leads to. */
const ends = new RegExp(`^(${[Confirm.heading, ...Booked.heading].join('|')})$`);

/** On from wherever the page leads to, until an appointment is booked. */
async function toTheEnd(page: Page, wish: Wish): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 });
  await expect(heading).toHaveText(ends);
  if (Confirm.heading === (await heading.textContent()))
    await wish.send(await Confirm.arrive(page));
  await expectHeading(page, Booked.heading);
}

// Shows: R-95
test(`of ${PATIENTS} patients whose answers are cut anywhere, none is told something untrue or has a second appointment or payment (R-95)`, async ({
  page,
  context,
  as,
  caller,
}) => {
  test.slow();
  await context.addInitScript(expectNothingUntrue);
  // The live connection would tell what became of it, before or after what is looked for here.
  await context.routeWebSocket(/\/socket\.io\//, (socket) => void socket.close());
  // Nor does the page ask by itself before the patient has done what is looked at.
  let mayAsk = true;
  await page.route('**/api/schedule/hold', (route) =>
    mayAsk || route.request().method() !== 'GET' ? route.fallback() : route.abort(),
  );
  for (let run = 0; run < PATIENTS; run += 1) {
    const chance = chanceOf(`run ${run}`);
    // Every patient pays last: a paid appointment cannot be cancelled.
    const wish = run < PATIENTS / 2 ? appointment : paidAppointment;
    const deed = DEEDS[run % DEEDS.length];
    await as(patientOf(run));
    const elsewhere = await caller(patientOf(run));
    const standing = async () => {
      const { body } = await elsewhere.get('/me/appointments');
      const list = body['appointments'] as { status: string; paidAmount: number }[];
      return list.filter(({ status }) => status === 'booked');
    };

    await test.step(`${run}: ${wish.type}, ${deed}`, async () => {
      await page.goto('/');
      const confirm = await toConfirm(page, wish);
      const first = CUTS[run % CUTS.length] ?? 'lost';
      const always = () => first;
      const wire = await cutting(context, wish.call, 'POST', always);
      mayAsk = false;
      await wish.send(confirm);
      await expect(confirm.says('We are checking')).toBeVisible();
      for (const name of ['Next', 'Pay Online', 'Back'])
        await expect(confirm.button(name)).toHaveCount(0);

      switch (deed) {
        case 'wait':
          mayAsk = true;
          wire.mend();
          await expectHeading(page, Booked.heading);
          break;
        case 'reload': {
          // Mended before, the page might show the outcome just before it is left.
          await page.reload();
          mayAsk = true;
          wire.mend();
          if ((await standing()).length > 0) {
            await expectHeading(page, Booked.heading);
            break;
          }
          await (await ChooseType.arrive(page)).press('Continue');
          await toTheEnd(page, wish);
          break;
        }
        case 'another time':
          for (let steps = wish === paidAppointment ? 2 : 1; steps > 0; steps -= 1)
            await page.goBack();
          mayAsk = true;
          await another(page, wish, wire.mend);
          break;
        case 'second tab': {
          const other = await context.newPage();
          await other.goto('/');
          const home = other.getByRole('heading', { name: said(other, ChooseType.heading) });
          await expect(
            home.or(other.getByRole('heading', { name: said(other, Booked.heading) })),
          ).toBeVisible();
          if (await home.isVisible()) {
            await (await ChooseType.arrive(other)).search(wish.type);
            await another(other, wish, wire.mend);
          }
          mayAsk = true;
          wire.mend();
          await other.close();
          break;
        }
        default: {
          await confirm.shell.tab('My Appointments').click();
          const appointments = await Appointments.arrive(page);
          mayAsk = true;
          if ((await standing()).length > 0) {
            await expect(appointments.cards('Upcoming')).toHaveCount(1);
            break;
          }
          await confirm.shell.tab('Book Appointment').click();
          wire.mend();
          await expectHeading(page, Booked.heading);
        }
      }
      // By then the page has gone where its answer leads.
      await expect(confirm.says('We are checking')).toBeHidden();
      await wire.stop();
      expect(await standing()).toHaveLength(1);
      if (wish === paidAppointment) return;

      const end = await cutting(context, '**/api/schedule/*', 'DELETE', some(chance));
      await page.goto('/appointments');
      const appointments = await Appointments.arrive(page);
      const question = await appointments.cancel(appointments.cards('Upcoming').first());
      await question.press('Confirm Cancellation');
      await expect(
        (await Appointments.arrive(page)).says('No upcoming appointments'),
      ).toBeVisible();
      await end.stop();
      expect(await standing()).toHaveLength(0);
    });
  }
});
