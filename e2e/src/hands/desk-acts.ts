import { expect } from '@playwright/test';

import { practicePassword } from '../sign-in.ts';
import { deskOfficeActs } from './desk-office-acts.ts';
import { deskPhoneActs } from './desk-phone-acts.ts';
import {
  asks,
  type DeskAct,
  dialog,
  did,
  freeTimes,
  heading,
  isShown,
  isWithin,
  leave,
  more,
  main,
  named,
  opened,
  panel,
  place,
  sends,
  newMail,
  noneIsFree,
  toScreen,
  undoes,
  withAlso,
  without,
} from './desk-steps.ts';
import { type Desk, type DeskTruth, lineOf, type Shown } from './desk-truth.ts';

export interface People {
  /** Patients to book for, by what is typed to find them. */
  readonly patients: Readonly<Record<string, { readonly name: string; readonly email: string }>>;
  /** A record that is blocked and unblocked. */
  readonly blocked: { readonly words: string; readonly name: string };
  /** The provider whose week is painted. */
  readonly providerId: string;
  /** A closing, and whom of it no email reaches. */
  readonly toCall: { readonly id: string; readonly patient: string };
}

/** Every act at the front desk, by its name in the told story. */
export function deskActs(desk: Desk, people: People): Readonly<Record<string, DeskAct>> {
  const books: DeskAct = async (scene, before) => {
    const { page, hands, chance } = scene;
    const words = chance.pick(Object.keys(people.patients));
    const { name, email } = people.patients[words] ?? { name: '', email: '' };
    await leave(page);
    const field = dialog(page).getByLabel('Name, birth date, phone or card number');
    const found = dialog(page).getByRole('list', { name: 'Patients found' }).getByRole('button');
    const type = dialog(page).getByLabel('Type', { exact: true });
    for (let tries = 0; tries < 8 && !(await type.isVisible()); tries += 1) {
      await asks(
        scene,
        field,
        page.getByRole('banner').getByRole('button', { name: 'Find patient' }),
      );
      await hands.type(field, words);
      await hands.press(named(dialog(page), 'Find'));
      if (!(await isShown(page, found))) continue;
      await hands.press(found.first());
      await isShown(page, type);
    }
    await expect(dialog(page)).toContainText(words.split(' ').toReversed().join(' '), {
      ignoreCase: true,
    });
    if (chance.happens(0.4)) {
      await expect(freeTimes(page).first().or(noneIsFree(page))).toBeVisible();
      const options = await type.locator('option').allTextContents();
      await type.focus();
      await type.selectOption({ label: chance.pick(options) });
      await expect(freeTimes(page).first().or(noneIsFree(page))).toBeVisible();
      await expect(type).toBeFocused();
    }
    if (chance.happens(0.25)) {
      await leave(page);
      return before;
    }
    const placed = await place(scene, 'Book all the same', /\/desk\/book\/[^/]+$/);
    await leave(page);
    if (!placed) return before;
    const { providerId, start, isTold, feeCents } = placed;
    const line = [name, providerId, start, 'expected', feeCents > 0 ? 'due' : 'none'].join(' | ');
    return {
      ...did(before, 'appointment booked'),
      appointments: isWithin(start) ? withAlso(before.appointments, line) : before.appointments,
      mails: isTold ? withAlso(before.mails, `${email}: Your appointment is booked`) : before.mails,
    };
  };

  const moves: DeskAct = async (scene, before) => {
    const { page, chance } = scene;
    const one = await opened(scene, desk, ({ movesFor }) => movesFor !== null);
    if (!one) return null;
    await asks(scene, dialog(page), named(panel(page), 'Move'));
    if (chance.happens(0.3)) {
      await leave(page);
      return before;
    }
    const placed = await place(scene, 'Move all the same', /\/appointment\/[^/]+\/move$/);
    await leave(page);
    if (!placed) return before;
    if (chance.happens(0.3) && (await undoes(scene)))
      return did(before, 'appointment rescheduled', 'move undone');
    const { providerId, start, isTold } = placed;
    const rest = without(before.appointments, lineOf(one));
    return {
      ...did(before, 'appointment rescheduled'),
      appointments: isWithin(start)
        ? withAlso(rest, lineOf(one, { providerId, start, attendance: 'expected' }))
        : rest,
      mails: isTold ? await toldOf(one, 'Your appointment is rescheduled', before) : before.mails,
    };
  };

  /** Emails as they are once a patient was told; the address is judged of those that `people` knows. */
  async function toldOf({ patient }: Shown, subject: string, before: DeskTruth) {
    const known = Object.values(people.patients).find(({ name }) => name === patient);
    const mail = known ? `${known.email}: ${subject}` : await newMail(desk, before);
    expect(mail).toContain(`: ${subject}`);
    return withAlso(before.mails, mail);
  }

  const dragsInVain: DeskAct = async (scene, before) => {
    const { page, chance } = scene;
    const one = await opened(scene, desk, ({ movesFor }) => movesFor !== null);
    if (!one) return null;
    const entry = page.locator(`[id="appointment-${one.id}"]`);
    await entry.scrollIntoViewIfNeeded();
    const { x, y } = (await entry.boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 20, y + 4);
    await page.mouse.down();
    await page.mouse.move(x + 60, y + 60, { steps: 4 });
    if (chance.happens(0.5)) await page.keyboard.press('Escape');
    else await page.mouse.move(3, 3);
    await page.mouse.up();
    await expect(dialog(page)).toHaveCount(0);
    return before;
  };

  const locks: DeskAct = async ({ page, hands }, before) => {
    await leave(page);
    const title = heading(page, 'The screen is locked');
    await hands.go(title, named(page.getByRole('banner'), 'Lock'));
    await hands.type(main(page).getByLabel('Your password or a new code'), practicePassword);
    await hands.press(named(main(page), 'Open'));
    await expect(title).toHaveCount(0);
    return before;
  };

  const cancels: DeskAct = async (scene, before) => {
    const { page, hands, chance } = scene;
    const one = await opened(
      scene,
      desk,
      ({ isCancellable, fee, linkUntil }) =>
        isCancellable && linkUntil === null && (fee === 'none' || fee === 'due'),
    );
    if (!one) return null;
    const yes = named(dialog(page), 'Cancel appointment');
    await asks(scene, yes, named(panel(page), 'Cancel appointment'));
    if (chance.happens(0.3)) {
      await hands.press(named(dialog(page), 'Keep it'));
      await leave(page);
      return before;
    }
    const label = chance.pick(['The patient', 'The clinic']);
    await dialog(page).getByLabel('Who wants it cancelled').selectOption({ label });
    const why = dialog(page).getByLabel('Why?');
    if (await why.isVisible()) await why.selectOption({ index: 1 });
    const { ok } = await sends(scene, yes, /\/appointment\/[^/]+\/cancel$/);
    expect(ok).toBe(true);
    await leave(page);
    if (chance.happens(0.3) && (await undoes(scene)))
      return did(before, 'appointment cancelled', 'cancellation undone');
    return {
      ...did(before, 'appointment cancelled'),
      appointments: without(before.appointments, lineOf(one)),
      mails: one.hasAccount
        ? await toldOf(one, 'Your appointment is cancelled', before)
        : before.mails,
    };
  };

  const TRAILED: Readonly<Record<string, string>> = {
    Arrived: 'patient arrived',
    'Back to the waiting room': 'patient arrived',
    'In the room': 'patient in the room',
    Seen: 'patient seen',
    'Did not come': 'patient did not come',
    'Not arrived after all': 'arrival taken back',
    'Take back': 'no-show taken back',
  };
  const LABELS = {
    arrived: 'Arrived',
    inRoom: 'In the room',
    completed: 'Seen',
    noShow: 'Did not come',
    expected: 'Not arrived after all',
  } as const;

  const notes: DeskAct = async (scene, before) => {
    const { page, hands, chance } = scene;
    const one = await opened(scene, desk, ({ next }) => next.length > 0);
    if (!one) return null;
    const to = chance.pick(one.next);
    let label: string = LABELS[to];
    if (to === 'arrived' && one.attendance === 'inRoom') label = 'Back to the waiting room';
    if (to === 'expected' && one.attendance === 'noShow') label = 'Take back';
    const path = /\/attendance$/;
    if (to === 'noShow') {
      const yes = named(dialog(page), label);
      await asks(scene, yes, named(panel(page), label));
      if (chance.happens(0.3)) {
        await hands.press(named(dialog(page), 'Leave it'));
        return before;
      }
      expect((await sends(scene, yes, path)).ok).toBe(true);
    } else expect((await sends(scene, named(panel(page), label), path)).ok).toBe(true);
    return {
      ...did(before, TRAILED[label] ?? label),
      appointments: withAlso(
        without(before.appointments, lineOf(one)),
        lineOf(one, { attendance: to }),
      ),
    };
  };

  const takesFee: DeskAct = async (scene, before) => {
    const { page, chance } = scene;
    const one = await opened(scene, desk, ({ fee, linkUntil }) => fee === 'due' && !linkUntil);
    if (!one) return null;
    const means = panel(page).getByLabel('Paid by');
    await expect(means).toBeVisible();
    await means.selectOption({ label: chance.pick(['cash', 'debit card', 'credit card']) });
    if (!(await means.isVisible())) return before;
    expect((await sends(scene, named(panel(page), 'Fee taken'), /\/fee$/)).ok).toBe(true);
    const now = (await desk.sheet()).find(({ id }) => id === one.id);
    const rows = more((await desk.read()).money, before.money);
    expect(rows).toEqual([expect.stringMatching(/^captured /)]);
    return {
      ...did(before, 'fee taken at the clinic'),
      money: withAlso(before.money, ...rows),
      appointments: withAlso(
        without(before.appointments, lineOf(one)),
        lineOf(one, { fee: now?.fee ?? 'taken' }),
      ),
    };
  };

  const refunds: DeskAct = async (scene, before) => {
    const { page, hands, chance } = scene;
    await toScreen(scene, 'Money');
    const ways = main(page).getByRole('button', { name: /^Give back / });
    if ((await ways.count()) === 0) return null;
    const reason = dialog(page).getByLabel('Why?');
    await asks(scene, reason, ways.first());
    if (chance.happens(0.3)) {
      await hands.press(named(dialog(page), 'Leave it'));
      return before;
    }
    await reason.selectOption({ label: 'Out of goodwill' });
    const answer = await sends(scene, named(dialog(page), 'Give back'), /\/refund$/);
    expect(answer.ok).toBe(true);
    const mail = await newMail(desk, before);
    expect(mail).toContain(': Your payment has been refunded');
    const now = await desk.read();
    const [gone = '', ...others] = more(before.money, now.money);
    expect([gone, ...others]).toEqual([expect.stringMatching(/^captured /)]);
    return {
      ...did(before, 'refund asked for'),
      money: withAlso(without(before.money, gone), gone.replace('captured', 'refunded')),
      mails: withAlso(before.mails, mail),
    };
  };

  return {
    books,
    'books again': books,
    moves,
    cancels,
    'drags an appointment in vain': dragsInVain,
    'locks the screen and comes back': locks,
    'notes who has come': notes,
    'notes somebody else': notes,
    'takes a fee': takesFee,
    'gives a fee back': refunds,
    ...deskOfficeActs(desk, people),
    ...deskPhoneActs(desk, people),
  };
}
