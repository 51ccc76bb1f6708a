import { addDays, toInstant } from '@clinic/domain';
import { expect, type Locator, type Page } from '@playwright/test';

import type { People } from './desk-acts.ts';
import {
  asks,
  type DeskAct,
  dialog,
  did,
  heading,
  leave,
  main,
  named,
  sends,
  newMail,
  toScreen,
  withAlso,
  without,
} from './desk-steps.ts';
import { closingLine, type Desk, messageLine, TODAY } from './desk-truth.ts';

const TRAILED = {
  answers: 'message answered',
  notes: 'note written beside a message',
  closes: 'message closed',
  assigns: 'message assigned',
};

/** So many rows of a week Page Down goes on. */
const ROWS_OF_PAGE = 4;

/** Every act beside the day sheet, by its name in the told story. */
export function deskOfficeActs(desk: Desk, people: People): Readonly<Record<string, DeskAct>> {
  const changesMessage =
    (what: 'answers' | 'notes' | 'closes' | 'assigns'): DeskAct =>
    async (scene, before) => {
      const { page, hands, chance } = scene;
      const all = await desk.writtenTo();
      if (all.length === 0) return null;
      const { id, patient, state } = chance.pick(all);
      const thread = await desk.thread(id);
      const old = messageLine({ ...thread, assignedTo: thread.assignedTo?.name ?? null });
      await toScreen(scene, 'Messages');
      const region = page.getByRole('complementary', { name: patient, exact: true });
      const open = region.getByLabel('Your answer');
      await hands.go(open, page.locator(`[id="message-${id}"]`));
      const text = `It is so ${Math.floor(chance.next() * 1e9)}`;
      const now = { ...thread, assignedTo: thread.assignedTo?.name ?? null };
      let mails = before.mails;
      if (what === 'answers') {
        await hands.type(open, text);
        const answer = await sends(scene, named(region, 'Send answer'), /\/answer$/);
        expect(answer.ok).toBe(true);
        now.entries = [...now.entries, { message: text } as never];
        now.state = 'answered';
        mails = withAlso(before.mails, await newMail(desk, before));
      } else if (what === 'notes') {
        await hands.type(region.getByLabel('New note'), text);
        expect((await sends(scene, named(region, 'Add note'), /\/notes\//)).ok).toBe(true);
        now.notes = [...now.notes, { text } as never];
      } else if (what === 'closes') {
        const close = named(
          region,
          /^(Close without an answer|Close this message|Take it up again)$/,
        );
        expect((await sends(scene, close, /\/closed$/)).ok).toBe(true);
        now.state = (await desk.thread(id)).state;
        expect(now.state === 'closed').toBe(state !== 'closed');
      } else {
        const whom = region.getByLabel('Who looks after it');
        const options = await whom.locator('option').allTextContents();
        const label = chance.pick(options);
        await whom.selectOption({ label });
        expect((await sends(scene, named(region, 'Assign'), /\/assignee$/)).ok).toBe(true);
        now.assignedTo = (await desk.thread(id)).assignedTo?.name ?? null;
        if (now.assignedTo !== null) expect(label).toContain(now.assignedTo);
      }
      const isTakenUp = state === 'closed' && what === 'closes';
      // Whoever looks after it already is not noted again.
      const isSo = what === 'assigns' && now.assignedTo === (thread.assignedTo?.name ?? null);
      return {
        ...did(before, ...(isSo ? [] : [isTakenUp ? 'message opened again' : TRAILED[what]])),
        mails,
        messages: withAlso(without(before.messages, old), messageLine(now)),
      };
    };

  const closes: DeskAct = async (scene, before) => {
    const { page, hands, chance } = scene;
    await toScreen(scene, 'Schedule');
    const day = addDays(TODAY, 20 + Math.floor(chance.next() * 300));
    const change = named(main(page), 'Change the time');
    const now = named(main(page), /^Close this time/);
    if (await change.isVisible()) await hands.go(main(page).getByLabel('Whose time'), change);
    await main(page).getByLabel('Whose time').selectOption({ index: 1 });
    // What was typed too soon stands there too.
    await main(page).getByLabel('From', { exact: true }).fill('');
    await main(page).getByLabel('Until', { exact: true }).fill('');
    await main(page).getByLabel('First day').fill(day);
    await main(page).getByLabel('Last day').fill(day);
    await hands.go(now, named(main(page), 'Show who is affected'));
    if (chance.happens(0.3)) {
      await hands.go(main(page).getByLabel('Whose time'), change);
      return before;
    }
    expect((await sends(scene, now, /\/desk\/closings$/)).ok).toBe(true);
    const [from, to] = [toInstant(day, '00:00'), toInstant(addDays(day, 1), '00:00')];
    return {
      ...did(before, 'time closed'),
      closings: withAlso(before.closings, closingLine({ from, to, reopened: null })),
    };
  };

  const reopens: DeskAct = async (scene, before) => {
    const { page, hands, chance } = scene;
    const one = (await desk.closings()).find(({ reopened }) => reopened === null);
    if (!one) return null;
    await toScreen(scene, 'Schedule');
    const link = main(page).locator(`a[href$="/closings/${one.id}"]`);
    const yes = named(dialog(page), 'Open this time again');
    await asks(scene, yes, link, named(main(page), 'Open this time again'));
    if (chance.happens(0.3)) {
      await hands.press(dialog(page).getByRole('button').last());
      await leave(page);
      return before;
    }
    expect((await sends(scene, yes, /\/opened$/)).ok).toBe(true);
    await leave(page);
    return {
      ...did(before, 'time opened again'),
      closings: withAlso(
        without(before.closings, closingLine(one)),
        closingLine({ ...one, reopened: {} }),
      ),
    };
  };

  const paints: DeskAct = async (scene, before) => {
    const { page, hands, chance } = scene;
    await toScreen(scene, 'Schedule');
    const cells = main(page).getByRole('gridcell');
    const link = main(page).locator(`a[href$="/weeks/${people.providerId}"]`);
    await hands.go(cells.first(), link);
    const weekday = Math.floor(chance.next() * 7);
    const row = 34 + Math.floor(chance.next() * 20);
    // Monday is the first column, and Sunday the first of a week that is kept.
    const cell = (r: number, column: number) => page.locator(`[id="week-${r}-${column}"]`);
    const kept = before.weeks[people.providerId] ?? [];
    const column = (weekday + 6) % 7;
    const was = kept[weekday]?.slice(row * 3, row * 3 + 3) ?? '';
    const brush = was === 'OOO' ? 'P' : 'O';
    await cell(row, column).scrollIntoViewIfNeeded();
    // Nothing of this paints.
    await cell(row + 1, column).click({ button: chance.pick(['right', 'middle'] as const) });
    await cell(row + 2, column).hover();
    await page.mouse.down();
    await cell(row + 3, column).hover();
    await (chance.happens(0.5) ? page.keyboard.press('Escape') : page.mouse.move(2, 2));
    await page.mouse.up();
    await cell(row, column).focus();
    await cell(row, column).click({ button: 'right' });
    if (chance.happens(0.5)) {
      await cell(row, column).focus();
      await page.mouse.up();
    }
    await goToCell(page, cell(row, column));
    await page.keyboard.down(brush);
    for (let n = 0; n < 10; n += 1) await page.keyboard.down(brush);
    await page.keyboard.up(brush);
    const save = named(main(page), 'Save the week');
    await hands.go(save, named(main(page), 'Show what would change'));
    if (chance.happens(0.3)) return before;
    expect((await sends(scene, save, /\/desk\/weeks\/[^/]+$/)).ok).toBe(true);
    const codes = kept[weekday] ?? '';
    const painted = codes.slice(0, row * 3) + brush.repeat(3) + codes.slice(row * 3 + 3);
    return {
      ...did(before, 'imported'),
      weeks: { ...before.weeks, [people.providerId]: kept.toSpliced(weekday, 1, painted) },
    };
  };

  /** By its keys, as the grid keeps its own place. */
  async function goToCell(page: Page, cell: Locator): Promise<void> {
    const id = (await cell.getAttribute('id')) ?? '';
    const [, row = '', column = ''] = /^week-(\d+)-(\d+)$/.exec(id) ?? [];
    await page.locator('[role=grid] td[tabindex="0"]').focus();
    for (let steps = 0; steps < 40; steps += 1) {
      const at = await page.evaluate(() => document.activeElement?.id ?? '');
      const [, r = '', c = ''] = /^week-(\d+)-(\d+)$/.exec(at) ?? [];
      if (at === id) return;
      const [down, right] = [Number(row) - Number(r), Number(column) - Number(c)];
      if (Math.abs(down) >= ROWS_OF_PAGE)
        await page.keyboard.press(down > 0 ? 'PageDown' : 'PageUp');
      else if (down !== 0) await page.keyboard.press(down > 0 ? 'ArrowDown' : 'ArrowUp');
      else await page.keyboard.press(right > 0 ? 'ArrowRight' : 'ArrowLeft');
    }
    throw new Error(`No keys lead to ${id}`);
  }

  const blocks: DeskAct = async (scene, before) => {
    const { page, hands, chance } = scene;
    const { words, name } = people.blocked;
    await toScreen(scene, 'Patients');
    const title = heading(page, name);
    const field = page.getByLabel('Name, birth date, phone or card number');
    await hands.type(field, words);
    const found = main(page).getByRole('list', { name: 'Patients found' }).getByRole('button');
    await hands.go(found.first(), named(main(page), 'Find'));
    const why = main(page).getByLabel('Why do you look at this patient?');
    await hands.go(title.or(why), found.first());
    if (await why.isVisible()) {
      await why.selectOption({ index: 1 });
      await hands.go(title, named(main(page), 'Open'));
    }
    const path = `/api/desk/patient/${new URL(page.url()).pathname.split('/').at(-1)}/block`;
    const changes = before.taken[path] ?? 0;
    const isFree = await named(main(page), 'Block').isVisible();
    const does = isFree ? 'Block' : 'Unblock';
    const yes = named(dialog(page), does);
    await asks(scene, yes, named(main(page), does));
    if (chance.happens(0.3)) {
      await hands.press(named(dialog(page), 'Leave it'));
      await leave(page);
      return before;
    }
    if (isFree) await hands.type(dialog(page).getByLabel('Why?'), 'They asked for it');
    expect((await sends(scene, yes, /\/block$/)).ok).toBe(true);
    await leave(page);
    return {
      ...did(before, isFree ? 'booking blocked' : 'account unblocked'),
      taken: { ...before.taken, [path]: changes + 1 },
    };
  };

  const keepsReply: DeskAct = async (scene, before) => {
    const { page, hands, chance } = scene;
    const all = await desk.writtenTo();
    if (all.length === 0) return null;
    const { id, patient } = chance.pick(all);
    await toScreen(scene, 'Messages');
    const region = page.getByRole('complementary', { name: patient, exact: true });
    await hands.go(region.getByLabel('Your answer'), page.locator(`[id="message-${id}"]`));
    const name = dialog(page).getByLabel('Name', { exact: true });
    await asks(scene, name, named(region, 'Edit saved replies'), named(dialog(page), 'New reply'));
    const [called, text] = [`Reply ${Math.floor(chance.next() * 1e6)}`, 'At nine, please.'];
    await hands.type(name, called);
    await hands.type(dialog(page).getByLabel('Text', { exact: true }), text);
    const isKept = chance.happens(0.7);
    if (isKept) {
      const save = named(dialog(page), 'Save reply');
      expect((await sends(scene, save, /\/saved-replies\//)).ok).toBe(true);
    }
    await leave(page);
    if (!isKept) return before;
    const replies = withAlso(before.replies, `${called}: ${text}`);
    return { ...did(before, 'saved reply changed'), replies };
  };

  const invites: DeskAct = async (scene, before) => {
    const { page, hands, chance } = scene;
    await toScreen(scene, 'Set-up');
    const who = `colleague${Math.floor(chance.next() * 1e6)}@practice.example`;
    const form = main(page).locator('form').filter({ hasText: 'Email' });
    await hands.type(form.getByLabel('Name', { exact: true }), 'Kim Ray');
    await hands.type(form.getByLabel('Email', { exact: true }), who);
    const role = form.getByRole('checkbox', { name: 'Receptionist' });
    for (let tries = 0; tries < 6 && !(await role.isChecked()); tries += 1) await hands.press(role);
    const send = form.getByRole('button').last();
    expect((await sends(scene, send, /\/desk\/staff$/)).ok).toBe(true);
    const mail = await newMail(desk, before);
    expect(mail).toContain(`${who}: `);
    const now = (await desk.read()).staff.filter((each) => each.startsWith(who));
    expect(now).toHaveLength(1);
    return {
      ...did(before, 'staff invited'),
      staff: withAlso(before.staff, ...now),
      mails: withAlso(before.mails, mail),
    };
  };

  const leavesMaintenance: DeskAct = async (scene, before) => {
    const { page, hands } = scene;
    await toScreen(scene, 'Set-up');
    const announce = named(main(page), 'Announce maintenance');
    const yes = named(dialog(page), 'Announce maintenance');
    const clinic = main(page).getByRole('link', { name: 'Clinic' });
    await asks(scene, yes, clinic, announce);
    await hands.press(dialog(page).getByRole('button').last());
    await leave(page);
    return before;
  };

  const looks =
    (screen: string): DeskAct =>
    async (scene, before) => {
      await toScreen(scene, screen);
      await scene.hands.fumble();
      return before;
    };

  return {
    answers: changesMessage('answers'),
    'notes something for colleagues': changesMessage('notes'),
    'closes a message': changesMessage('closes'),
    'assigns a message': changesMessage('assigns'),
    'closes a day': closes,
    'opens a day again': reopens,
    'paints a week': paints,
    'blocks a patient': blocks,
    'keeps a reply': keepsReply,
    'invites a colleague': invites,
    'does not announce maintenance': leavesMaintenance,
    'looks at the audit trail': looks('Audit'),
    'looks at reports': looks('Reports'),
  };
}
