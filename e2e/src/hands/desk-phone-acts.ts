import { expect, type Locator, type Page } from '@playwright/test';
import { toInstant } from '@clinic/domain';

import type { People } from './desk-acts.ts';
import {
  asks,
  type DeskAct,
  dialog,
  did,
  freeTimes,
  hear,
  heading,
  insist,
  isWithin,
  leave,
  main,
  named,
  noneIsFree,
  type Placed,
  sends,
  toScreen,
  undoes,
  withAlso,
} from './desk-steps.ts';
import { type Desk, type DeskTruth, TODAY } from './desk-truth.ts';
import type { Scene } from './story.ts';

const SEARCH = 'Name, birth date, phone or card number';
/** Days as they are typed, how the page says them, and which they are. */
const DAYS_TYPED = [
  ['+3', 'Tuesday, November 24, 2026', '2026-11-24'],
  ['fri', 'Friday, November 27, 2026', '2026-11-27'],
  ['Dec 4', 'Friday, December 4, 2026', '2026-12-04'],
  ['4 déc', 'Friday, December 4, 2026', '2026-12-04'],
  ['2026-12-03', 'Thursday, December 3, 2026', '2026-12-03'],
] as const;

interface Person {
  readonly words: string;
  /** 'Newcomer, Ari' */
  readonly name: string;
  readonly email: string | null;
}

const isClosed = (page: Page) => page.locator('body:not(:has(dialog[open]))');

/** Acts of whoever is on the phone, by keyboard, and some of it without a look at what the page says meanwhile. */
export function deskPhoneActs(desk: Desk, people: People): Readonly<Record<string, DeskAct>> {
  const personOf = ({ chance }: Scene, but?: string): Person => {
    const words = chance.pick(Object.keys(people.patients).filter((each) => each !== but));
    const { name = '', email = null } = people.patients[words] ?? {};
    return { words, name, email };
  };

  const booked = ({ page }: Scene, { name }: Person) =>
    dialog(page)
      .filter({ has: page.getByRole('heading', { name: spoken(name) }) })
      .getByRole('alert')
      .filter({ hasText: /^Booked: / });

  /** What leads from the search to what is booked, or to why it is not. */
  const waysOf = (scene: Scene, person: Person) => {
    const { page } = scene;
    const all = named(dialog(page), 'Book all the same');
    return {
      end: booked(scene, person).or(all).or(noneIsFree(page)).or(isClosed(page)),
      steps: [
        named(dialog(page), 'Find'),
        dialog(page).getByRole('button', { name: /^New patient: / }),
        foundOf(page, person),
        freeTimes(page).and(page.locator('[aria-selected=true]')),
        named(dialog(page), 'Book this time'),
      ],
    };
  };

  /** Searches for somebody; sometimes for somebody else first, and before that is answered. */
  async function searches(scene: Scene, { words }: Person, field: Locator) {
    const { hands, chance } = scene;
    if (chance.happens(0.25)) {
      await hands.type(field, personOf(scene, words).words);
      await hands.blindly('Enter');
      // An Escape, or who was found, may have taken the field away.
      if (!(await field.isVisible())) return;
    }
    await hands.type(field, words);
    await hands.blindly('Enter');
  }

  /** Books for somebody, from the search that `opens` opens. Gives what the service took. */
  async function booksFor(
    scene: Scene,
    person: Person,
    opens: () => Promise<void>,
  ): Promise<Placed[]> {
    const { page, hands, chance } = scene;
    const { end, steps } = waysOf(scene, person);
    const field = dialog(page).getByLabel(SEARCH);
    const taken = hear<Placed>(page, /\/desk\/book\/[^/]+$/);
    for (let tries = 0; tries < 8 && (await taken.all()).length === 0; tries += 1) {
      await opens();
      await searches(scene, person, field);
      const blind = Array.from({ length: Math.floor(chance.next() * 4) }, () => 'Enter');
      await hands.blindly(...blind);
      await hands.go(end, ...steps);
      if (await noneIsFree(page).isVisible()) break;
      if (!(await named(dialog(page), 'Book all the same').isVisible())) continue;
      const path = /\/desk\/book\/[^/]+$/;
      const answer = await insist(scene, 'Book all the same', path);
      if (answer === null) break;
    }
    const placed = await taken.all();
    expect(placed.length, 'At most one is booked').toBeLessThanOrEqual(1);
    return placed;
  }

  /** What the service says once these were booked. */
  function withBooked(
    before: DeskTruth,
    { name, email }: Person,
    placed: readonly Placed[],
  ): DeskTruth {
    return placed.reduce<DeskTruth>((truth, { providerId, start, feeCents, isTold }) => {
      const fee = feeCents > 0 ? 'due' : 'none';
      const line = [name, providerId, start, 'expected', fee].join(' | ');
      const mail = `${email}: Your appointment is booked`;
      return {
        ...did(truth, 'appointment booked'),
        appointments: isWithin(start) ? withAlso(truth.appointments, line) : truth.appointments,
        mails: isTold ? withAlso(truth.mails, mail) : truth.mails,
      };
    }, before);
  }

  /** By Ctrl K, or by the button that says so. */
  const opensSearch = (scene: Scene) => async () => {
    const { page, hands, chance } = scene;
    await leave(page);
    if (chance.happens(0.7)) await hands.blindly('Control+k');
    else
      await asks(
        scene,
        dialog(page).getByLabel(SEARCH),
        page.getByRole('banner').getByRole('button', { name: 'Find patient' }),
      );
    await expect(dialog(page).getByLabel(SEARCH)).toBeVisible();
  };

  const booksByKeys: DeskAct = async (scene, before) => {
    const { page, chance } = scene;
    const person = personOf(scene);
    const placed = await booksFor(scene, person, opensSearch(scene));
    let truth = withBooked(before, person, placed);
    if (placed.length > 0 && chance.happens(0.35) && (await undoes(scene)))
      truth = did(before, 'appointment booked', 'booking undone');
    else if (placed.length > 0 && (await booked(scene, person).isVisible())) {
      const other = personOf(scene, person.words);
      const more = await booksFor(scene, other, async () => {
        const family = dialog(page).getByLabel(/^Another of the family/);
        // An Escape has closed it, and what is kept for a family with it.
        if (!(await family.isVisible())) await opensSearch(scene)();
      });
      truth = withBooked(truth, other, more);
    }
    await leave(page);
    return truth;
  };

  const booksAtFreePlace: DeskAct = async (scene, before) => {
    const { page, hands, chance } = scene;
    await toScreen(scene, 'Day', /2026/);
    const places = main(page).getByRole('button', { name: /^Free / });
    const starts = await places.evaluateAll((all) =>
      all.map((each) => (each as HTMLElement).dataset['actsOn'] ?? ''),
    );
    const later = starts.filter((place) => Number(place.split(' ')[1]) > toInstant(TODAY, '12:00'));
    if (later.length === 0) return null;
    const place = chance.pick(later);
    const [providerId, from] = place.split(' ');
    const person = personOf(scene);
    const placed = await booksFor(scene, person, async () => {
      await leave(page);
      await hands.go(
        dialog(page).getByLabel(SEARCH),
        main(page).locator(`[data-acts-on="${place}"]`),
      );
    });
    for (const each of placed) {
      expect(each.providerId).toBe(providerId);
      expect(each.start).toBeGreaterThanOrEqual(Number(from));
    }
    await leave(page);
    return withBooked(before, person, placed);
  };

  const booksOnTypedDay: DeskAct = async (scene, before) => {
    const { page, hands, chance } = scene;
    const person = personOf(scene);
    const { end, steps } = waysOf(scene, person);
    const [find, , found] = steps as [Locator, Locator, Locator];
    const day = dialog(page).getByLabel('From', { exact: true });
    const taken = hear<Placed>(page, /\/desk\/book\/[^/]+$/);
    const [typed, says, date] = chance.pick(DAYS_TYPED);
    for (let tries = 0; tries < 8 && (await taken.all()).length === 0; tries += 1) {
      await opensSearch(scene)();
      await searches(scene, person, dialog(page).getByLabel(SEARCH));
      await hands.go(day.or(isClosed(page)), find, found);
      if (!(await day.isVisible())) continue;
      await hands.type(day, typed);
      await hands.blindly(chance.pick(['Enter', 'Tab']));
      if (!(await day.isVisible())) continue;
      await expect(dialog(page).getByText(says)).toBeVisible();
      await expect(freeTimes(page).first().or(noneIsFree(page))).toBeVisible();
      await hands.go(end, ...steps);
      break;
    }
    const placed = await taken.all();
    for (const { start } of placed) expect(start).toBeGreaterThanOrEqual(toInstant(date, '00:00'));
    await leave(page);
    return withBooked(before, person, placed);
  };

  const booksForSomebodyNew: DeskAct = async (scene, before) => {
    const { page, hands, chance } = scene;
    const [first, last] = [nameBy(chance.next()), nameBy(chance.next())];
    const person = { words: `${first} ${last}`, name: `${last}, ${first}`, email: null };
    const { end, steps } = waysOf(scene, person);
    const [find, isNew, found, ...rest] = steps as [Locator, Locator, Locator, ...Locator[]];
    const birthDate = dialog(page).getByLabel('Birth date', { exact: true });
    const opened = hear<{ recordId: string }>(page, /\/desk\/patients$/);
    const taken = hear<Placed>(page, /\/desk\/book\/[^/]+$/);
    for (let tries = 0; tries < 8 && (await taken.all()).length === 0; tries += 1) {
      if ((await opened.all()).length === 0 || !(await freeTimes(page).first().isVisible())) {
        await opensSearch(scene)();
        await hands.type(dialog(page).getByLabel(SEARCH), person.words);
        await hands.go(birthDate.or(freeTimes(page)).or(isClosed(page)), find, isNew, found);
      }
      if (await birthDate.isVisible()) {
        await expect(dialog(page).getByLabel('Last name')).toHaveValue(last);
        await birthDate.fill('1948-09-14');
        await hands.go(
          freeTimes(page).or(noneIsFree(page)).or(isClosed(page)),
          named(dialog(page), 'Open the record and book'),
          named(dialog(page), 'Go on typing'),
        );
      }
      await hands.go(end, ...rest);
      if (await noneIsFree(page).isVisible()) break;
    }
    expect(await opened.all()).toHaveLength(1);
    await leave(page);
    const path = '/api/desk/patients';
    const known = did(before, 'record opened by the clinic');
    return withBooked(
      { ...known, taken: { ...known.taken, [path]: (known.taken[path] ?? 0) + 1 } },
      person,
      await taken.all(),
    );
  };

  const calls: DeskAct = async (scene, before) => {
    const { page, hands, chance } = scene;
    await toScreen(scene, 'Schedule');
    const { id, patient } = people.toCall;
    const row = main(page).getByRole('row').filter({ hasText: patient });
    await hands.go(row, main(page).locator(`a[href$="/closings/${id}"]`));
    const what = chance.pick(['Reached', 'Message left', 'No answer'] as const);
    const note = row.getByRole('button', { name: new RegExp(`^${what}`) });
    expect((await sends(scene, note, /\/calls\/[^/]+$/)).ok).toBe(true);
    const outcome = { Reached: 'reached', 'Message left': 'messageLeft', 'No answer': 'noAnswer' };
    const noted = {
      ...did(before, 'closing call noted'),
      calls: withAlso(before.calls, outcome[what]),
    };
    await expect(row.getByText(`Noted: ${what}.`)).toBeVisible();
    if (chance.happens(0.6)) return noted;
    const back = row.getByRole('button', { name: /^Take back/ });
    expect((await sends(scene, back, /\/calls\/[^/]+\/taken-back$/)).ok).toBe(true);
    return {
      ...did(noted, 'closing call taken back'),
      calls: withAlso(before.calls, `${outcome[what]}, taken back`),
    };
  };

  const notesOnCard: DeskAct = async (scene, before) => {
    const { page, hands, chance } = scene;
    const { words, name } = people.blocked;
    await toScreen(scene, 'Patients');
    const title = heading(page, name);
    await hands.type(page.getByLabel(SEARCH), words);
    const found = main(page).getByRole('list', { name: 'Patients found' }).getByRole('button');
    await hands.go(found.first(), named(main(page), 'Find'));
    const why = main(page).getByLabel('Why do you look at this patient?');
    await hands.go(title.or(why), found.first());
    if (await why.isVisible()) {
      await why.selectOption({ index: 1 });
      await hands.go(title, named(main(page), 'Open'));
    }
    const text = `Prefers ${nameBy(chance.next())}`;
    const field = dialog(page).getByLabel('Text', { exact: true });
    await asks(scene, field, named(main(page), 'Add a note'));
    await hands.type(field, text);
    if (chance.happens(0.2)) {
      await leave(page);
      return before;
    }
    const path = /\/patient\/[^/]+\/(notes|card)\//;
    expect((await sends(scene, named(dialog(page), 'Save'), path)).ok).toBe(true);
    const strike = named(main(page), `Strike: ${text}`);
    await expect(strike).toBeVisible();
    if (chance.happens(0.5)) return did(before, 'note noted');
    expect((await sends(scene, strike, path)).ok).toBe(true);
    const putBack = named(main(page), 'Put back');
    await expect(putBack).toBeVisible();
    if (chance.happens(0.5)) return did(before, 'note noted', 'note struck');
    expect((await sends(scene, putBack, path)).ok).toBe(true);
    return did(before, 'note noted', 'note struck', 'note put back');
  };

  return {
    'books by keyboard': booksByKeys,
    'books by keyboard, again': booksByKeys,
    'books at a free place': booksAtFreePlace,
    'books on a day that is typed': booksOnTypedDay,
    'books for somebody new': booksForSomebodyNew,
    'calls whom no email reaches': calls,
    'notes something on a card': notesOnCard,
  };
}

/** 'Newcomer, Ari' as 'Ari Newcomer'. */
const spoken = (name: string) => new RegExp(name.split(', ').toReversed().join(' '));

const foundOf = (page: Page, { name }: Person) =>
  dialog(page)
    .getByRole('list', { name: 'Patients found' })
    .getByRole('button')
    .filter({ hasText: name });

/** A name that nobody has, nor one like it. */
function nameBy(share: number): string {
  const [consonants, vowels] = ['bdfgklmnprstvz', 'aeiou'];
  let rest = Math.floor(share * 1e9);
  let name = '';
  for (let at = 0; at < 9; at += 1) {
    const from = at % 2 === 0 ? consonants : vowels;
    name += from.charAt(rest % from.length);
    rest = Math.floor(rest / from.length);
  }
  return name.charAt(0).toUpperCase() + name.slice(1);
}
