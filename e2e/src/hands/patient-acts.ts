import { expect, type Locator, type Page } from '@playwright/test';
import { formatMoment } from '@clinic/texts';

import { picture } from '../attached-files.ts';
import { practiceCards } from '../pages/payment.ts';
import { practicePassword } from '../sign-in.ts';
import type { PatientTruth } from './patient-truth.ts';
import type { Act, Scene } from './story.ts';

type PatientAct = Act<PatientTruth>;

const main = (page: Page) => page.getByRole('main');
const button = (page: Page, name: string | RegExp) =>
  main(page).getByRole('button', { name, exact: true });
const dialog = (page: Page) => page.getByRole('alertdialog').or(page.getByRole('dialog'));
const heading = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { level: 1, name, exact: true });
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name });
const home = (page: Page) => page.getByRole('link', { name: /, home$/ });

const CHOOSE = 'Please choose appointment type:';
const CONFIRM = 'Confirm your appointment';
const PAY = 'Pay for Appointment';
const BOOKED = /^(Appointment booked|Payment Received|Appointment Booked Successfully!)$/;

const added = <T>(list: readonly T[], ...more: T[]) =>
  [...list, ...more].toSorted((one, two) => (one < two ? -1 : 1));

/** Picks one of the times that are shown; null where it is refused, as on a day that has an appointment. */
async function pickTime({ page, hands, chance }: Scene): Promise<number | null> {
  const chips = main(page).locator('[data-slot]');
  await expect(chips.first()).toBeVisible();
  const shown = Math.min(await chips.count(), 40);
  const slot = await chips.nth(Math.floor(chance.next() * shown)).getAttribute('data-slot');
  const refused = main(page).getByRole('alert');
  await hands.go(
    heading(page, CONFIRM).or(refused),
    main(page).locator(`[data-slot="${slot ?? ''}"]`),
  );
  return (await refused.isVisible()) ? null : Number(slot?.split('@')[1]);
}

const holds =
  (type: string): PatientAct =>
  async (scene, before) => {
    const { page, hands } = scene;
    if (before.standing.length >= 2 || before.held !== null) return null;
    const card = main(page).getByRole('radio', { name: type, exact: true });
    await hands.go(heading(page, CHOOSE), home(page));
    await hands.go(card, button(page, /^Other types/));
    await hands.press(card);
    await hands.press(main(page).getByRole('radio', { name: 'Earliest available doctor' }));
    await hands.go(main(page).locator('[data-slot]'), button(page, 'Next'));
    const held = await pickTime(scene);
    return held === null ? before : { ...before, held };
  };

/** Next, and yes to every question. */
async function agree({ page, hands }: Scene, end: Locator): Promise<void> {
  const reason = main(page).getByRole('textbox').first();
  if ((await reason.inputValue()) === '') await hands.type(reason, 'a sore knee');
  const yes = dialog(page).getByRole('button', { name: /^(I accept the fee|Agree)$/ });
  await hands.go(end, button(page, 'Next'), yes);
}

const books: PatientAct = async (scene, before) => {
  const { page, hands } = scene;
  const { held } = before;
  if (held === null) return null;
  await hands.go(heading(page, CONFIRM), tab(page, 'Book Appointment'), button(page, 'Continue'));
  await agree(scene, heading(page, BOOKED).or(heading(page, PAY)));
  const booked = {
    ...before,
    held: null,
    standing: added(before.standing, held),
    mails: added(before.mails, 'Your appointment is booked'),
  };
  if (!(await heading(page, PAY).isVisible())) return booked;
  for (const [label, words] of [
    ['Card number', practiceCards.good],
    ['Expiry (MM/YY)', '1230'],
    ['CVC', '123'],
  ] as const)
    await hands.type(main(page).getByLabel(label), words);
  await hands.go(heading(page, BOOKED), button(page, 'Pay Online'));
  return { ...booked, paid: before.paid + 200 };
};

/** The first card of My Appointments with such a way, and when it begins. */
async function firstWith(
  { page, hands }: Scene,
  name: string,
  { standing }: PatientTruth,
): Promise<{ way: Locator; start: number } | null> {
  await hands.go(heading(page, 'My Appointments'), tab(page, 'My Appointments'));
  await expect(page.getByText('Loading…', { exact: true })).toHaveCount(0);
  const cards = main(page).getByRole('listitem');
  const way = (card: Locator) =>
    card
      .getByRole('button', { name, exact: true })
      .and(page.locator(':enabled:not([aria-disabled="true"])'));
  for (const start of standing) {
    const card = cards.filter({ hasText: formatMoment('en', start) });
    if (await way(card).isVisible()) return { way: way(card), start };
  }
  return null;
}

const cancels: PatientAct = async (scene, before) => {
  const { page, hands } = scene;
  const found = await firstWith(scene, 'Cancel Appointment', before);
  if (!found) return null;
  const { way, start } = found;
  await hands.go(button(page, 'Confirm Cancellation'), way);
  await hands.go(heading(page, 'My Appointments'), button(page, 'Confirm Cancellation'));
  return {
    ...before,
    standing: before.standing.filter((each) => each !== start),
    cancelled: before.cancelled + 1,
    mails: added(before.mails, 'Your appointment is cancelled'),
  };
};

const keepsAfterAll: PatientAct = async (scene, before) => {
  const { page, hands } = scene;
  const found = await firstWith(scene, 'Cancel Appointment', before);
  if (!found) return null;
  await hands.go(button(page, 'Confirm Cancellation'), found.way);
  await hands.go(heading(page, 'My Appointments'), button(page, 'Back'));
  return before;
};

const moves: PatientAct = async (scene, before) => {
  const { page, hands } = scene;
  if (before.held !== null) return null;
  const found = await firstWith(scene, 'Reschedule Appointment', before);
  if (!found) return null;
  const yes = dialog(page).getByRole('button', { name: 'Yes, reschedule appointment' });
  await hands.go(heading(page, /^Reschedule /), found.way, yes);
  await hands.go(main(page).locator('[data-slot]'), button(page, 'Next'));
  const to = await pickTime(scene);
  if (to === null) return before;
  await agree(scene, heading(page, 'Appointment rescheduled'));
  return {
    ...before,
    held: null,
    standing: added(
      before.standing.filter((each) => each !== found.start),
      to,
    ),
    moved: before.moved + 1,
    mails: added(before.mails, 'Your appointment is rescheduled'),
  };
};

const staysAfterAll: PatientAct = async (scene, before) => {
  const { page, hands } = scene;
  const found = await firstWith(scene, 'Reschedule Appointment', before);
  if (!found) return null;
  const no = dialog(page).getByRole('button', { name: 'No, do not reschedule appointment' });
  await hands.go(no, found.way);
  await hands.press(no);
  await expect(dialog(page)).toHaveCount(0);
  return before;
};

const releases: PatientAct = async ({ page, hands }, before) => {
  if (before.held === null) return null;
  const way = button(page, 'Release this time');
  await hands.go(way.or(heading(page, CONFIRM)), tab(page, 'Book Appointment'));
  // With the time in hand, to begin anew releases it.
  if (!(await way.isVisible())) {
    await hands.go(heading(page, CHOOSE), home(page));
    return { ...before, held: null };
  }
  await hands.press(way);
  await expect(way).toHaveCount(0);
  return { ...before, held: null };
};

async function toMessages({ page, hands }: Scene): Promise<void> {
  await hands.go(heading(page, 'My Account'), tab(page, 'My Account'));
  await hands.go(
    button(page, 'Write to the clinic'),
    main(page).getByRole('link', { name: /^Messages/ }),
    button(page, 'Back to messages'),
  );
}

const writes: PatientAct = async (scene, before) => {
  const { page, hands, chance } = scene;
  await toMessages(scene);
  const field = page.getByLabel('Your message', { exact: true });
  await hands.go(field, button(page, 'Write to the clinic'));
  const words = `It hurts ${chance.next()}`;
  await hands.type(field, words);
  const isWithFile = chance.happens(0.3);
  if (isWithFile) {
    const files = page.getByLabel('Choose files');
    await hands.go(files, button(page, 'Attach files'));
    await files.setInputFiles(picture('knee.png'));
  }
  await hands.go(page.getByLabel('Your reply', { exact: true }), button(page, 'Send'));
  return { ...before, texts: added(before.texts, `${words} (${isWithFile ? 1 : 0} files)`) };
};

const replies: PatientAct = async (scene, before) => {
  const { page, hands, chance } = scene;
  if (before.texts.length === 0) return null;
  await toMessages(scene);
  const field = page.getByLabel('Your reply', { exact: true });
  const row = main(page)
    .getByRole('list', { name: /^Your messages/ })
    .getByRole('button')
    .first();
  await hands.go(field, row);
  const words = `And now ${chance.next()}`;
  await hands.type(field, words);
  await hands.press(button(page, 'Send'));
  await expect(main(page).getByRole('listitem').filter({ hasText: words })).toBeVisible();
  return { ...before, texts: added(before.texts, `${words} (0 files)`) };
};

async function edit({ page, hands, chance }: Scene): Promise<string> {
  await hands.go(heading(page, 'My Account'), tab(page, 'My Account'));
  await hands.go(
    button(page, 'Update'),
    main(page).getByRole('link', { name: 'Information and sign-in' }),
    button(page, 'Edit'),
  );
  const city = `Town ${Math.floor(chance.next() * 1e6)}`;
  await hands.type(page.getByLabel('City', { exact: true }), city);
  return city;
}

const savesTheProfile: PatientAct = async (scene, before) => {
  const { page, hands } = scene;
  const city = await edit(scene);
  await hands.go(button(page, 'Edit'), button(page, 'Update'));
  return { ...before, profile: { ...before.profile, city, isChanged: true } };
};

const discardsTheProfile: PatientAct = async (scene, before) => {
  await edit(scene);
  await scene.hands.go(button(scene.page, 'Edit'), button(scene.page, 'Cancel'));
  return before;
};

const readsTheTerms: PatientAct = async ({ page, hands }, before) => {
  const terms = page.getByRole('button', { name: 'Terms of Use' });
  if (!(await terms.isVisible())) return null;
  const close = dialog(page).getByRole('button', { name: 'Close' });
  await hands.go(close, terms);
  await hands.press(close);
  await expect(dialog(page)).toHaveCount(0);
  return before;
};

const signsOutAndIn =
  (email: string): PatientAct =>
  async ({ page, hands }, before) => {
    await hands.go(heading(page, 'Log in'), page.getByRole('button', { name: 'Logout' }));
    await hands.type(main(page).getByLabel('Email', { exact: true }), email);
    await hands.type(main(page).getByLabel('Password', { exact: true }), practicePassword);
    await expect(page.getByText("Checked: you're not a bot.")).toBeVisible();
    await hands.go(heading(page, CHOOSE), button(page, 'Log in'));
    return { ...before, held: null };
  };

/** Every act of a patient, by its name in the told story. */
export const patientActs = (email: string) =>
  ({
    'holds a visit': holds('In-person visit'),
    'holds a private visit': holds('Private visit'),
    books,
    'books what is held': books,
    releases,
    cancels,
    'is asked about cancelling, and goes back': keepsAfterAll,
    moves,
    'is asked about moving, and stays': staysAfterAll,
    writes,
    replies,
    'saves the profile': savesTheProfile,
    'edits the profile, and does not save it': discardsTheProfile,
    'reads the terms': readsTheTerms,
    'signs out and in': signsOutAndIn(email),
  }) satisfies Record<string, PatientAct>;
