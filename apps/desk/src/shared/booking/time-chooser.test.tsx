import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { NOW, openDesk, refused } from '../../testing/desk.tsx';

const CASEY = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c01';
const TEN_THIRTY = NOW + 1_800;

type Handlers = NonNullable<Parameters<typeof openDesk>[1]>;

/** What is free, without the first so many. */
const timesFrom = (first: number) => ({
  times: [0, 600, 1_200].slice(first).map((later) => ({
    doctor: '101',
    start: TEN_THIRTY + later,
    end: TEN_THIRTY + later + 600,
  })),
  walkIns: [0, 600].slice(first, first + 1).map((later) => ({
    doctor: '101',
    start: NOW + later,
    end: NOW + later + 600,
  })),
});

const options = {
  name: 'Morgan, Casey',
  hasAccount: true,
  birthDate: '1984-05-17',
  types: [{ code: 'E', description: 'Short visit', feeCents: 0 }],
  mayLink: true,
  providers: [{ id: '101', name: 'Dr. A. Stone' }],
  upcoming: [],
};

/** Finds a patient by keyboard alone. */
async function openPerson(handlers: Handlers) {
  const desk = openDesk('/schedule', {
    deskFindPatients: () => ({
      patients: [
        { patientId: CASEY, recordId: '5001', name: 'Morgan, Casey', birthDate: '1984-05-17' },
      ],
      hasMore: false,
    }),
    deskBookingOptions: () => options,
    deskFreeTimes: ({ body }) =>
      timesFrom((body as { notBefore?: number }).notBefore === undefined ? 0 : 1),
    deskConsents: () => ({ texts: [] }),
    ...handlers,
  });
  await screen.findByRole('button', { name: 'Find patient' });
  await desk.user.keyboard('{Control>}k{/Control}mor{Enter}');
  await screen.findByRole('button', { name: /^Morgan, Casey/ });
  await desk.user.keyboard('{Enter}');
  const dialog = within(await screen.findByRole('dialog', { name: /^Book/ }));
  await dialog.findByLabelText('Type');
  return { ...desk, dialog };
}

/** Their free times; the first has the focus. */
async function openTimes(
  deskBook: NonNullable<Handlers['deskBook']>,
  feeCents = 0,
  others: Handlers = {},
) {
  const types = options.types.map((type) => ({ ...type, feeCents }));
  const desk = await openPerson({
    deskBookingOptions: () => ({ ...options, types }),
    deskBook,
    ...others,
  });
  await desk.dialog.findByRole('option', { name: /10:30/ });
  return desk;
}

type Dialog = Awaited<ReturnType<typeof openPerson>>['dialog'];
const list = (dialog: Dialog) => dialog.getByRole('listbox', { name: 'Free times' });
/** What the list says has its focus. */
const inHand = (dialog: Dialog) =>
  document.getElementById(list(dialog).getAttribute('aria-activedescendant') ?? '')?.textContent;

const placed = (start: number) => ({
  id: 'appointment-1',
  providerId: '101',
  start,
  end: start + 600,
  feeCents: 0,
  isTold: true,
  linkUntil: null,
});

const text = (kind: 'feeWarning' | 'general', title: string) => ({
  kind,
  version: '1.0',
  hash: 'a'.repeat(64),
  title,
  paragraphs: [`The words of ${title}.`],
});

describe('The times of a booking at the desk (R-98, S-18)', () => {
  test('the first is in hand, arrows take another, Enter sums it up, and Enter books it', async () => {
    const { user, sent, dialog } = await openTimes(({ body }) =>
      placed((body as { start: number }).start),
    );
    expect(document.activeElement).toBe(list(dialog));
    expect(inHand(dialog)).toContain('10:30');
    await user.keyboard('{End}{ArrowLeft}');
    expect(inHand(dialog)).toContain('10:40');
    await user.keyboard('{Enter}');
    const summary = within(dialog.getByRole('region', { name: /^Book Mon Nov 23 10:40/ }));
    for (const said of ['Morgan, Casey, born 1984-05-17', 'Short visit', '10 min', 'by email'])
      summary.getByText(said);
    expect(sent('deskBook')).toEqual([]);
    await user.keyboard('{Enter}');
    await dialog.findByText(/^Booked: Short visit, .*10:40, Dr. A. Stone/);
    expect(sent('deskBook')).toEqual([{ type: 'E', providerId: '101', start: TEN_THIRTY + 600 }]);
  });

  test.each([
    ['Type', 'F'],
    ['Provider', '101'],
    ['From', '2026-11-24'],
  ] as const)('a change of %s leaves the focus where it is', async (label, value) => {
    const { user, sent, dialog } = await openTimes(() => placed(TEN_THIRTY), 0, {
      deskBookingOptions: () => ({
        ...options,
        types: [...options.types, { code: 'F', description: 'Phone visit', feeCents: 0 }],
      }),
    });
    const field = dialog.getByLabelText<HTMLInputElement | HTMLSelectElement>(label);
    field.focus();
    if (field instanceof HTMLSelectElement) await user.selectOptions(field, value);
    else await user.keyboard(`${value}{Enter}`);
    await waitFor(() => expect(sent('deskFreeTimes')).toHaveLength(2));
    await dialog.findByRole('option', { name: /10:30/ });
    expect(document.activeElement).toBe(field);
    expect(sent('deskBook')).toEqual([]);
  });

  test('leave the focus to whoever has pressed something since', async () => {
    const times = Promise.withResolvers<ReturnType<typeof timesFrom>>();
    const { user, dialog } = await openPerson({ deskFreeTimes: () => times.promise });
    // Not filled yet.
    expect(document.activeElement).toBe(list(dialog));
    await user.tab();
    const field = document.activeElement;
    times.resolve(timesFrom(0));
    await dialog.findByRole('option', { name: /10:30/ });
    expect(document.activeElement).toBe(field);
  });

  test('a walk-in is booked by one press, and says that it is one', async () => {
    const { user, sent, dialog } = await openTimes(() => placed(NOW));
    await user.click(dialog.getByRole('button', { name: /^10:00/ }));
    await dialog.findByText(/^Booked/);
    expect(sent('deskBook')).toMatchObject([{ start: NOW, overrideReason: 'walkIn' }]);
  });

  test('what a rule refuses is booked with a reason, and with none is not', async () => {
    const { user, sent, dialog } = await openTimes(({ body }) =>
      'overrideReason' in (body as object) ? placed(TEN_THIRTY) : refused('twoUpcoming'),
    );
    await user.keyboard('{Enter}{Enter}');
    await dialog.findByText('The patient has two appointments ahead already.');
    await user.selectOptions(dialog.getByLabelText('Why?'), 'It is urgent');
    await user.click(dialog.getByRole('button', { name: 'Book all the same' }));
    await dialog.findByText(/^Booked/);
    const time = { type: 'E', providerId: '101', start: TEN_THIRTY };
    expect(sent('deskBook')).toEqual([time, { ...time, overrideReason: 'urgent' }]);
  });

  test('what no reason books offers none', async () => {
    const { user, dialog } = await openTimes(() => refused('slotTaken'));
    await user.keyboard('{Enter}{Enter}');
    await dialog.findByText('This time is taken. Choose another.');
    await dialog.findByRole('option', { name: /10:30/ });
    expect(dialog.queryByLabelText('Why?')).toBeNull();
  });

  test.each([
    ['without an answer', null],
    ['that broke off', 'serviceBusy'],
    ['that failed in the service', 'bug'],
  ])('a time %s is asked for again under its key, though it is free no more', async (_, code) => {
    const sendings: (readonly [string | null, unknown])[] = [];
    const { user, dialog, sent } = await openTimes(
      ({ headers, body }) => {
        sendings.push([headers.get('idempotency-key'), body]);
        if (sendings.length === 2) return refused('tooManyRequests', 'Wait a moment.');
        if (sendings.length === 3) return refused('slotTaken');
        if (sendings.length > 3) return placed(TEN_THIRTY + 1_200);
        if (code === null) throw new Error('No answer');
        return refused(code);
      },
      0,
      { deskFreeTimes: () => timesFrom(sendings.length === 0 ? 0 : 1) },
    );
    await user.keyboard('{Enter}{Enter}');
    const outcome = await dialog.findByText(/^The clinic did not answer/);
    expect(outcome.closest('[role=alert]')?.contains(document.activeElement)).toBe(true);
    await waitFor(() => expect(sent('deskFreeTimes')).toHaveLength(2));
    // What the patient has by now is shown above.
    await waitFor(() => expect(sent('deskBookingOptions')).toHaveLength(2));
    expect(dialog.queryByRole('button', { name: /^10:0/ })).toBeNull();
    const again = dialog.getByRole('button', { name: 'Ask again: Mon Nov 23 10:30, Dr. A. Stone' });
    await user.click(again);
    await dialog.findByText(/not known whether this is done.* Wait a moment\.$/);
    await user.click(again);
    await dialog.findByText('This time is taken. Choose another.');
    await user.click(dialog.getByRole('option', { name: /10:50/ }));
    await user.click(dialog.getByRole('button', { name: 'Book this time' }));
    await dialog.findByText(/^Booked/);
    const [first, ...later] = sendings;
    expect(later.slice(0, 2)).toEqual([first, first]);
    expect(later[2]?.[0]).not.toBe(first?.[0]);
  });

  test('another time on a day that is none is said at its field, and nothing is lost', async () => {
    const { user, sent, dialog } = await openTimes(() => placed(NOW));
    await user.click(dialog.getByText('Another time'));
    await user.selectOptions(dialog.getByLabelText('With'), '101');
    await user.type(dialog.getByLabelText('Day'), 'soon');
    fireEvent.change(dialog.getByLabelText('Starts at'), { target: { value: '09:00' } });
    await user.click(dialog.getByRole('button', { name: 'Choose this time' }));
    dialog.getByText(/^This is no day that can be read/);
    expect(dialog.getByLabelText<HTMLInputElement>('Starts at').value).toBe('09:00');
    expect(sent('deskBook')).toEqual([]);
  });

  test('a type with a fee offers a payment link, and says until when the time is held', async () => {
    const linkUntil = NOW + 86_400;
    const { user, sent, dialog } = await openTimes(
      () => ({ ...placed(TEN_THIRTY), linkUntil }),
      1_000,
    );
    await user.click(dialog.getByRole('option', { name: /10:30/ }));
    await user.selectOptions(dialog.getByLabelText('Fee'), 'Send a payment link');
    await user.click(dialog.getByRole('button', { name: 'Send the link' }));
    await dialog.findByText(
      /^Held until .*Nov.* 24.*10:30, Dr. A. Stone\. The patient is sent the link/,
    );
    const time = { type: 'E', providerId: '101', start: TEN_THIRTY };
    expect(sent('deskBook')).toEqual([{ ...time, feeBy: 'link' }]);
    // They agree online.
    expect(sent('deskConsents')).toEqual([]);
  });

  // Shows: R-98
  test('what the patient would agree to online is read out once it is booked, and noted by one press', async () => {
    let texts = [text('feeWarning', 'Fee warning'), text('general', 'Clinic policy')];
    let published = 0;
    const { user, sent, dialog } = await openTimes(() => placed(TEN_THIRTY), 20_000, {
      deskConsents: () => ({ texts }),
      deskNoteConsents: () => {
        if (published++ > 0) return undefined;
        texts = texts.map((each) => ({ ...each, version: '2' }));
        return refused('agreementOutdated');
      },
    });
    await user.keyboard('{Enter}{Enter}');
    const section = within(await dialog.findByRole('region', { name: 'Read out to the patient' }));
    await user.click(section.getByText('Clinic policy, version 1.0'));
    section.getByText('The words of Clinic policy.');
    // The clinic has published others meanwhile: those are read out, and noted.
    await user.click(section.getByRole('button', { name: 'The patient agrees' }));
    await section.findByText(/^The clinic has published another text/);
    await section.findByText('Clinic policy, version 2');
    await user.click(section.getByRole('button', { name: 'The patient agrees' }));
    await section.findByText(/^Noted/);
    expect(section.queryByRole('button')).toBeNull();
    const named = (version: string) => ({
      texts: texts.map(({ kind, hash }) => ({ kind, version, hash })),
    });
    expect(sent('deskNoteConsents')).toEqual([named('1.0'), named('2')]);
  });

  test('where nothing applies, nothing is read out', async () => {
    const { user, sent, dialog } = await openTimes(() => placed(TEN_THIRTY), 0, {
      deskConsents: () => ({ texts: [] }),
    });
    await user.keyboard('{Enter}{Enter}');
    await dialog.findByText(/^Booked/);
    await waitFor(() => expect(sent('deskConsents')).toHaveLength(1));
    expect(dialog.queryByRole('region')).toBeNull();
    expect(dialog.queryByText('Read out to the patient')).toBeNull();
  });

  test('without a fee nothing is asked of it, and whoever is here pays here', async () => {
    const free = await openTimes(() => placed(NOW));
    await free.user.keyboard('{Enter}');
    expect(free.dialog.queryByLabelText('Fee')).toBeNull();
    cleanup();
    const { user, sent, dialog } = await openTimes(() => placed(NOW), 1_000);
    await user.keyboard('{Enter}');
    await user.selectOptions(dialog.getByLabelText('Fee'), 'Send a payment link');
    await user.keyboard('{Escape}');
    await user.click(dialog.getByRole('button', { name: /^10:00/ }));
    await dialog.findByText(/^Booked/);
    expect(sent('deskBook')).toMatchObject([{ overrideReason: 'walkIn', feeBy: 'clinic' }]);
  });

  test('Escape leads from the summary back to the list, where the time is still in hand', async () => {
    const { user, sent, dialog } = await openTimes(() => placed(TEN_THIRTY));
    await user.keyboard('{ArrowRight}{Enter}');
    expect(document.activeElement?.textContent).toBe('Book this time');
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(list(dialog));
    expect(inHand(dialog)).toContain('10:40');
    // Also once a press on its words has taken the focus out of it.
    await user.keyboard('{Enter}');
    await user.click(dialog.getByText('Length'));
    expect(document.activeElement?.textContent).not.toBe('Book this time');
    await user.keyboard('{Escape}');
    expect(document.activeElement).toBe(list(dialog));
    expect(sent('deskBook')).toEqual([]);
  });

  test('T, P and D lead from the list to type, provider and day', async () => {
    const { user, dialog } = await openTimes(() => placed(TEN_THIRTY));
    for (const [key, label] of [
      ['t', 'Type'],
      ['p', 'Provider'],
      ['d', 'From'],
    ] as const) {
      list(dialog).focus();
      await user.keyboard(key);
      expect(document.activeElement).toBe(dialog.getByLabelText(label));
    }
  });

  test.each(['{Enter}', '{Tab}'])(
    'a day is read on %s and not before, and said in words',
    async (end) => {
      const { user, sent, dialog } = await openTimes(() => placed(TEN_THIRTY));
      await user.keyboard('d4 déc');
      expect(sent('deskFreeTimes')).toHaveLength(1);
      await user.keyboard(end);
      await dialog.findByText('Friday, December 4, 2026');
      await waitFor(() => expect(sent('deskFreeTimes')).toHaveLength(2));
      expect(sent('deskFreeTimes')[1]).toMatchObject({ from: '2026-12-04' });
      const field = dialog.getByLabelText('From');
      expect(document.activeElement).toBe(end === '{Tab}' ? list(dialog) : field);
    },
  );

  test('a day that could be either of two asks which, and nothing can be chosen until then', async () => {
    const { user, sent, dialog } = await openTimes(() => placed(TEN_THIRTY));
    await user.keyboard('d4/12{Tab}{Enter}');
    dialog.getByText('Which day is 4/12?');
    expect(dialog.queryByRole('option', { name: /10:30/ })).toBeNull();
    expect(dialog.queryByRole('button', { name: 'Book this time' })).toBeNull();
    await user.click(dialog.getByLabelText('From'));
    await user.keyboard('{Enter}');
    expect(document.activeElement?.textContent).toBe('Friday, December 4, 2026');
    await user.keyboard('{Enter}');
    expect(document.activeElement).toBe(dialog.getByLabelText('From'));
    await dialog.findByRole('option', { name: /10:30/ });
    expect(sent('deskFreeTimes').at(-1)).toMatchObject({ from: '2026-12-04' });
  });

  test('another of the family keeps type, provider and day, and begins after the first', async () => {
    const { user, sent, dialog } = await openTimes(() => placed(TEN_THIRTY));
    await user.keyboard('{Enter}{Enter}');
    await dialog.findByText(/^Booked/);
    expect(document.activeElement).toBe(dialog.getByLabelText(/^Another of the family/));
    await user.keyboard('mor{Enter}');
    const found = await dialog.findByRole('button', { name: /^Morgan, Casey/ });
    expect(document.activeElement).toBe(found);
    await user.keyboard('{Enter}');
    const next = within(await screen.findByRole('dialog', { name: /^Book/ }));
    await next.findByRole('option', { name: /10:40/ });
    const times = { type: 'E', providerId: '101', from: '2026-11-23' };
    expect(sent('deskFreeTimes').at(-1)).toEqual({ ...times, notBefore: TEN_THIRTY + 600 });
    await user.click(next.getByRole('button', { name: 'Also before 10:40' }));
    expect(document.activeElement).toBe(list(next));
    await next.findByRole('option', { name: /10:30/ });
    expect(sent('deskFreeTimes').at(-1)).toEqual(times);
  });
});
