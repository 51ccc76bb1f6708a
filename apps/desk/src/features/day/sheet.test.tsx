import type { ApiOpenedAppointment, ApiSheetAppointment } from '@clinic/contract';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { NOW, deskChanges, openDesk, refused } from '../../testing/desk.tsx';
import { bookingOptions, placed } from '../../testing/records.ts';

const NINE = NOW - 3_600;

const appointment = (
  patient: string,
  minutes: number,
  movesFor: string | null = null,
): ApiSheetAppointment => ({
  id: patient.toLowerCase(),
  patient,
  type: 'E',
  description: 'Short visit',
  start: NINE + minutes * 60,
  end: NINE + (minutes + 10) * 60,
  state: 'booked',
  attendance: 'expected',
  fee: 'none',
  linkUntil: null,
  next: ['arrived'],
  isCancellable: true,
  movesFor,
  hasAccount: true,
  movedByClinic: false,
  patientCannotCancel: null,
});

const provider = (id: string, appointments: ApiSheetAppointment[]) => ({
  id,
  name: `Dr. ${id}`,
  closed: [],
  busy: [],
  appointments,
});

const opened = (id: string): ApiOpenedAppointment => ({
  id,
  patient: { name: 'Ada', birthDate: '1984-05-17', recordId: '1', email: null, phone: null },
  reason: null,
  bookingNumber: null,
  checkin: null,
  bookedAt: NINE,
  arrivedAt: null,
  inRoomAt: null,
  paidCents: 0,
  feeAtClinic: null,
});

const options = {
  name: 'Eve',
  hasAccount: true,
  birthDate: '1984-05-17',
  types: [{ code: 'E', description: 'Short visit', feeCents: 0 }],
  providers: ['One', 'Two', 'Three'].map((id) => ({ id, name: `Dr. ${id}` })),
  mayLink: true,
  upcoming: [],
};

const openSheet = (handlers: Parameters<typeof openDesk>[1] = {}, search = '') =>
  openDesk(`/day/2026-11-23${search}`, {
    deskDay: () => ({
      date: '2026-11-23',
      hours: { start: NINE, end: NINE + 7_200 },
      providers: [
        provider('One', [appointment('Ada', 0), appointment('Bea', 30), appointment('Cy', 90)]),
        { ...provider('Two', []), closed: [{ start: NINE + 6_600, end: NINE + 7_200 }] },
        provider('Three', [appointment('Dee', 10), appointment('Eve', 85, 'eve-account')]),
      ],
    }),
    deskOpenAppointment: ({ params }) => opened(params.id ?? ''),
    deskBookingOptions: () => options,
    deskFreeTimes: () => ({
      times: [{ doctor: 'Two', start: NINE + 6_000, end: NINE + 6_600 }],
      walkIns: [],
    }),
    deskMoveAppointment: ({ body }) => {
      const { providerId, start } = body as { providerId: string; start: number };
      return {
        id: 'eve-2',
        providerId,
        start,
        end: start + 600,
        linkUntil: null,
        isTold: true,
        feeCents: 0,
      };
    },
    ...handlers,
  });

const entry = (name: string) =>
  screen.getByRole('button', { name: new RegExp(`^\\d\\d:\\d\\d ${name}`) });
/** Who has the focus on the sheet. */
const at = () =>
  document.activeElement?.querySelector('b')?.textContent ?? document.activeElement?.textContent;

// Shows: S-18
test('The sheet without a date in its address is that of today', async () => {
  openDesk('/day', {
    deskDay: ({ params }) => ({ date: params.date ?? '', hours: null, providers: [] }),
  });
  const title = await screen.findByRole('heading', { level: 1 });
  expect(title.textContent).toBe('Monday, November 23, 2026');
});

// Shows: R-120
test('What is gone from the EMR is marked on the sheet and in its panel, and nothing else', async () => {
  const { user } = openSheet({
    deskDay: () => ({
      date: '2026-11-23',
      hours: { start: NINE, end: NINE + 7_200 },
      providers: [
        provider('One', [appointment('Ada', 0), { ...appointment('Bea', 30), isGone: true }]),
      ],
    }),
  });
  await user.click(await screen.findByRole('button', { name: /^09:30 Bea Gone from the EMR/ }));
  const panel = within(await screen.findByRole('complementary', { name: 'Bea' }));
  expect(panel.getByText('Gone from the EMR')).toBeTruthy();
  expect(panel.getByText(/^Its row was deleted or cut in the EMR/)).toBeTruthy();
  await user.click(entry('Ada Expected'));
  const other = within(await screen.findByRole('complementary', { name: 'Ada' }));
  expect(other.queryByText(/EMR/)).toBeNull();
});

describe('The sheet of a day by keyboard (S-18)', () => {
  test('arrows go up and down a column, and to the nearest in time of the next', async () => {
    const { user } = openSheet();
    (await screen.findByRole('button', { name: /^09:00 Ada/ })).focus();
    const steps = [
      ['ArrowUp', 'Ada'],
      ['ArrowDown', 'Bea'],
      ['ArrowRight', 'Free 10:00 to 10:50, Dr. Two'],
      ['ArrowRight', 'Free 10:00 to 10:25, Dr. Three'],
      ['ArrowRight', 'Free 10:00 to 10:25, Dr. Three'],
      ['ArrowDown', 'Eve'],
      ['Home', 'Dee'],
      ['ArrowLeft', 'Free 10:00 to 10:50, Dr. Two'],
      ['ArrowLeft', 'Free 10:00 to 10:30, Dr. One'],
      ['ArrowDown', 'Cy'],
      ['End', 'Free 10:40 to 11:00, Dr. One'],
      ['Home', 'Ada'],
    ] as const;
    for (const [key, who] of steps) {
      await user.keyboard(`{${key}}`);
      expect(`${key} ${at()}`).toBe(`${key} ${who}`);
    }
  });

  test('Enter on a free place asks for whom, and then whether to book them there', async () => {
    const { user, sent } = openSheet({
      deskFindPatients: () => ({
        patients: [
          { patientId: null, recordId: '5001', name: 'Morgan, Casey', birthDate: '1984-05-17' },
        ],
        hasMore: false,
      }),
      deskBook: ({ body }) => ({
        id: 'new',
        providerId: 'Two',
        start: (body as { start: number }).start,
        end: NOW + 600,
        feeCents: 0,
        isTold: false,
        linkUntil: null,
      }),
      deskConsents: () => ({ texts: [] }),
    });
    (await screen.findByRole('button', { name: 'Free 10:00 to 10:50, Dr. Two' })).focus();
    await user.keyboard('{Enter}');
    await screen.findByText('Book Mon Nov 23 10:00: for whom?');
    await user.keyboard('mor{Enter}');
    await screen.findByRole('button', { name: /^Morgan, Casey/ });
    await user.keyboard('{Enter}');
    await screen.findByRole('heading', { name: 'Book Mon Nov 23 10:00, Dr. Two' });
    expect(document.activeElement?.textContent).toBe('Book this time');
    expect(sent('deskBook')).toEqual([]);
    await user.keyboard('{Enter}');
    await screen.findByText(/^Booked: Short visit, Mon Nov 23 10:00, Dr. Two/);
    expect(sent('deskBook')).toEqual([{ type: 'E', providerId: 'Two', start: NOW }]);
  });

  test('Tab comes to one appointment, Enter opens it, Escape closes it and comes back', async () => {
    const { user, sent } = openSheet();
    await screen.findByRole('button', { name: /^09:00 Ada/ });
    const stops = ['Ada', 'Bea', 'Cy', 'Dee', 'Eve'].filter((who) => entry(who).tabIndex === 0);
    expect(stops).toEqual(['Ada']);
    entry('Bea').focus();
    await user.keyboard('{Enter}');
    const panel = await screen.findByRole('complementary', { name: 'Bea' });
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Bea' }));
    expect(entry('Bea').tabIndex).toBe(0);
    await waitFor(() => expect(sent('deskOpenAppointment')).toHaveLength(1));
    await user.keyboard('{Escape}');
    expect(panel.isConnected).toBe(false);
    expect(at()).toBe('Bea');
  });
});

test('what something else overlaps says so on the sheet, with both times', async () => {
  const overlap = { start: NINE - 600, end: NINE + 900 };
  openDesk('/day/2026-11-23', {
    deskDay: ({ params }) => ({
      date: params.date ?? '',
      hours: { start: NINE - 3_600, end: NINE + 7_200 },
      providers: [provider('One', [{ ...appointment('Ada', 0), overlap }, appointment('Bea', 30)])],
    }),
  });
  const ada = await screen.findByRole('button', { name: /^09:00 Ada/ });
  expect(ada.textContent).toContain('overlaps another, 08:50 to 09:15');
  expect(entry('Bea').textContent).not.toContain('overlaps');
});

describe('A fee that was taken at the clinic (S-18, R-98)', () => {
  const open = (deskFeeBack: NonNullable<Parameters<typeof openDesk>[1]>['deskFeeBack']) => {
    const taken = { means: 'cash', at: NINE } as const;
    let feeAtClinic: ApiOpenedAppointment['feeAtClinic'] = { cents: 1_000, taken };
    return openSheet({
      deskOpenAppointment: ({ params }) => ({ ...opened(params.id ?? ''), feeAtClinic }),
      deskFeeBack: (request) => {
        const answer = deskFeeBack?.(request);
        const { means, reason } = request.body as Noted;
        if (answer === undefined)
          feeAtClinic = { cents: 1_000, taken, givenBack: { means, reason, at: NOW } };
        return answer;
      },
    });
  };
  type Noted = Pick<
    NonNullable<NonNullable<ApiOpenedAppointment['feeAtClinic']>['givenBack']>,
    'means' | 'reason'
  >;

  test('is noted as given back, with how and why, and is offered no more', async () => {
    const { user, sent } = open(() => undefined);
    await user.click(await screen.findByRole('button', { name: /^09:00 Ada/ }));
    await user.click(await screen.findByRole('button', { name: 'Fee given back' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Given back by'));
    await user.click(screen.getByRole('button', { name: 'Note it' }));
    expect(sent('deskFeeBack')).toEqual([]);
    await user.selectOptions(screen.getByLabelText('Given back by'), 'debit card');
    await user.selectOptions(screen.getByLabelText('Why?'), 'Out of goodwill');
    await user.click(screen.getByRole('button', { name: 'Note it' }));
    const outcome = await screen.findByText(/is noted as given back at the clinic/);
    expect(outcome.closest('[role=alert]')?.contains(document.activeElement)).toBe(true);
    await screen.findByText(/^Given back at the clinic, debit card, .*: Out of goodwill/);
    expect(screen.queryByRole('button', { name: 'Fee given back' })).toBeNull();
    expect(sent('deskFeeBack')).toEqual([{ means: 'debit', reason: 'goodwill' }]);
  });

  test('without an answer is said not to be known, and what was chosen stays', async () => {
    const { user } = open(() => {
      throw new Error('No answer');
    });
    await user.click(await screen.findByRole('button', { name: /^09:00 Ada/ }));
    await user.click(await screen.findByRole('button', { name: 'Fee given back' }));
    await user.selectOptions(screen.getByLabelText('Given back by'), 'cash');
    await user.selectOptions(screen.getByLabelText('Why?'), 'Another reason');
    await user.click(screen.getByRole('button', { name: 'Note it' }));
    await screen.findByText(/not known whether this is noted/);
    expect(screen.getByLabelText<HTMLSelectElement>('Given back by').value).toBe('cash');
  });
});

describe('A fee that is due at the clinic (S-18, R-98)', () => {
  test('stays there with the outcome of its note, though the appointment cannot be read again', async () => {
    let isCutOff = false;
    const { user, sent } = openSheet({
      deskOpenAppointment: ({ params }) => {
        if (isCutOff) throw new Error('No answer');
        return { ...opened(params.id ?? ''), feeAtClinic: { cents: 1_000 } };
      },
      deskTakeFee: () => {
        isCutOff = true;
        throw new Error('No answer');
      },
    });
    await user.click(await screen.findByRole('button', { name: /^09:00 Ada/ }));
    await user.selectOptions(await screen.findByLabelText('Paid by'), 'cash');
    await user.click(screen.getByRole('button', { name: 'Fee taken' }));
    await waitFor(() => expect(sent('deskOpenAppointment')).toHaveLength(2));
    await screen.findByText(/not known whether this is done/);
    expect(screen.getByLabelText<HTMLSelectElement>('Paid by').value).toBe('cash');
  });

  test('is said to be noted as paid, where the form was', async () => {
    let feeAtClinic: ApiOpenedAppointment['feeAtClinic'] = { cents: 1_000 };
    const { user, sent } = openSheet({
      deskOpenAppointment: ({ params }) => ({ ...opened(params.id ?? ''), feeAtClinic }),
      deskTakeFee: () => {
        feeAtClinic = { cents: 1_000, taken: { means: 'cash', at: NOW } };
      },
    });
    await user.click(await screen.findByRole('button', { name: /^09:00 Ada/ }));
    await user.selectOptions(await screen.findByLabelText('Paid by'), 'cash');
    await user.click(screen.getByRole('button', { name: 'Fee taken' }));
    await screen.findByText('CAD 10.00 paid at the clinic, cash');
    const outcome = screen.getByText('CAD 10.00 is noted as paid at the clinic.');
    expect(outcome.closest('[role=alert]')?.contains(document.activeElement)).toBe(true);
    expect(screen.queryByRole('button', { name: 'Fee taken' })).toBeNull();
    expect(sent('deskTakeFee')).toEqual([{ means: 'cash' }]);
  });
});

describe('An open appointment that is on the sheet no more (S-18)', () => {
  const GONE = /is not on this day any more/;
  const openAda = async (handlers: Parameters<typeof openDesk>[1] = {}) => {
    const standing = [appointment('Ada', 60)];
    const desk = openDesk('/day/2026-11-23?appointment=ada', {
      deskDay: ({ params }) => ({
        date: params.date ?? '',
        hours: { start: NINE, end: NINE + 7_200 },
        providers: [provider('One', params.date === '2026-11-23' ? standing : [])],
      }),
      deskOpenAppointment: ({ params }) => opened(params.id ?? ''),
      ...handlers,
    });
    await screen.findByRole('complementary', { name: 'Ada' });
    const looks = () => desk.sent('deskDay').length;
    return { ...desk, looks, cancelElsewhere: () => standing.pop() };
  };

  test('is said to be gone, where the focus goes', async () => {
    const { cancelElsewhere } = await openAda();
    cancelElsewhere();
    deskChanges();
    const said = await screen.findByText(GONE);
    expect(document.activeElement?.contains(said.closest('[role=alert]'))).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
    expect(screen.queryByRole('complementary')).toBeNull();
  });

  test('because it was cancelled here says that alone, whichever comes first', async () => {
    const answer = Promise.withResolvers<{ isSent: boolean }>();
    const { user, looks, cancelElsewhere } = await openAda({
      deskCancelAppointment: () => answer.promise,
    });
    await user.click(screen.getByRole('button', { name: 'Cancel appointment' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByRole('button', { name: 'Cancel appointment' }));
    cancelElsewhere();
    deskChanges();
    await waitFor(() => expect(looks()).toBe(2));
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull());
    expect(screen.queryByText(GONE)).toBeNull();
    answer.resolve({ isSent: false });
    await screen.findByText('Cancelled: Short visit of Ada.');
    await waitFor(() => expect(looks()).toBe(3));
    expect(screen.queryByText(GONE)).toBeNull();
  });

  test('is closed without a word by another day, and an unknown one is none', async () => {
    const { user } = await openAda();
    await user.click(screen.getByRole('button', { name: 'Next day' }));
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull());
    await screen.findByText('No appointments');
    expect(screen.queryByText(GONE)).toBeNull();
    cleanup();
    const { sent } = openSheet({}, '?appointment=nobody');
    await screen.findByRole('button', { name: /^09:00 Ada/ });
    deskChanges();
    await waitFor(() => expect(sent('deskDay')).toHaveLength(2));
    expect(screen.queryByText(GONE)).toBeNull();
  });
});

/** What a browser lays out: columns of 270 beside a ruler of 64, five minutes 28 high, under names of 44. */
const LEFT = { One: 64, Two: 334, Three: 604 };
const NAMES = 44;
const topAt = (time: string) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return NAMES + (((hours - 9) * 60 + minutes) / 5) * 28;
};

function layOut() {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function rect(
    this: Element,
  ) {
    const column = this.closest<HTMLElement>('[data-column]')?.dataset.column;
    const left = column === undefined ? 0 : LEFT[column as keyof typeof LEFT];
    const start = (this as HTMLElement).dataset.start;
    if (start !== undefined)
      return new DOMRect(left, NAMES + ((Number(start) - NINE) / 300) * 28, 270, 56);
    if (this.matches('[data-lane]')) return new DOMRect(left, NAMES, 270, 672);
    return new DOMRect(left, 0, column === undefined ? 874 : 270, 800);
  });
}
afterEach(() => vi.restoreAllMocks());

type Pointer = { pointerType?: 'mouse' | 'pen' | 'touch' };
/** So far beneath its upper edge it is pressed. */
const BENEATH = 40;

/** Presses an appointment and takes it somewhere; the pointer stays pressed. */
function drag(name: string, column: keyof typeof LEFT, time: string, pointer: Pointer = {}) {
  const pressed = entry(name);
  const { x, y } = pressed.getBoundingClientRect();
  const said = { pointerType: 'mouse', button: 0, buttons: 1, ...pointer };
  fireEvent.pointerDown(pressed, { ...said, clientX: x + 50, clientY: y + BENEATH });
  const to = { clientX: LEFT[column] + 100, clientY: topAt(time) + BENEATH + 3 };
  fireEvent.pointerMove(document.body, { ...said, ...to });
  return {
    drop() {
      fireEvent.pointerUp(document.body, { ...said, buttons: 0, ...to });
      fireEvent.click(pressed, { detail: 1 });
    },
  };
}

const openLaidOut = async (handlers: Parameters<typeof openSheet>[0] = {}) => {
  const desk = openSheet(handlers);
  await screen.findByRole('button', { name: /^10:25 Eve/ });
  layOut();
  return desk;
};

describe('Cancelling (S-18, R-98)', () => {
  const dayOf = (appointments: ApiSheetAppointment[]) => ({
    date: '2026-11-23',
    hours: { start: NINE, end: NINE + 7_200 },
    providers: [provider('One', appointments)],
  });
  const openAda = async (
    facts: Partial<ApiSheetAppointment>,
    handlers: Parameters<typeof openDesk>[1] = {},
  ) => {
    const shown = { ...appointment('Ada', 60), ...facts };
    const desk = openSheet({
      deskDay: () => dayOf([shown]),
      deskCancelAppointment: () => ({ isSent: false }),
      ...handlers,
    });
    await desk.user.click(await screen.findByRole('button', { name: /Ada/ }));
    await desk.user.click(screen.getByRole('button', { name: 'Cancel appointment' }));
    const dialog = within(await screen.findByRole('dialog'));
    const press = () => desk.user.click(dialog.getByRole('button', { name: 'Cancel appointment' }));
    const bodies = () => desk.sent('deskCancelAppointment');
    return { ...desk, dialog, press, bodies };
  };

  // Shows: R-98
  test('says who wants it, and that a patient who wants it does not get a fee back', async () => {
    const { user, dialog, press, bodies } = await openAda({ fee: 'taken' });
    expect(dialog.getByText(/a fee that was paid is kept/)).toBeTruthy();
    expect(dialog.queryByText(/does not go back by itself/)).toBeNull();
    await user.selectOptions(dialog.getByLabelText('Who wants it cancelled'), 'The clinic');
    expect(dialog.getByText(/a fee is given back in full/)).toBeTruthy();
    expect(dialog.getByText(/does not go back by itself/)).toBeTruthy();
    await press();
    expect(bodies()).toEqual([{ wantedBy: 'clinic' }]);
  });

  // Shows: R-98
  test('of one that the patient could not cancel asks why, where it is for the patient', async () => {
    const { user, dialog, press, bodies } = await openAda({ patientCannotCancel: 'paid' });
    expect(dialog.getByText(/Its fee was CAD 140.00 or more/)).toBeTruthy();
    expect(document.activeElement).toBe(dialog.getByLabelText('Why?'));
    await press();
    expect(bodies()).toEqual([]);
    await user.selectOptions(dialog.getByLabelText('Why?'), 'It is urgent');
    await press();
    expect(bodies()).toEqual([{ wantedBy: 'patient', overrideReason: 'urgent' }]);
  });

  test('of one that has just become too late for the patient asks why, where it was pressed', async () => {
    const facts: Partial<ApiSheetAppointment> = {};
    const { user, dialog, press, bodies } = await openAda(
      {},
      {
        deskDay: () => dayOf([{ ...appointment('Ada', 60), ...facts }]),
        deskCancelAppointment: () => {
          if (facts.patientCannotCancel) return { isSent: false };
          facts.patientCannotCancel = 'tooLate';
          return refused('notCancellable');
        },
      },
    );
    await press();
    expect(await dialog.findByText(/cancel it again, and say why/)).toBeTruthy();
    await user.selectOptions(await dialog.findByLabelText('Why?'), 'It is urgent');
    await press();
    expect(bodies().at(-1)).toEqual({ wantedBy: 'patient', overrideReason: 'urgent' });
  });

  // Shows: R-98
  test('keeps who wanted it where it failed, so that the fee does not go the other way', async () => {
    const { user, dialog, press, bodies } = await openAda(
      {},
      { deskCancelAppointment: () => refused('tooManyRequests') },
    );
    await user.selectOptions(dialog.getByLabelText('Who wants it cancelled'), 'The clinic');
    await press();
    expect(await dialog.findByRole('alert')).toBeTruthy();
    await press();
    expect(bodies()).toEqual([{ wantedBy: 'clinic' }, { wantedBy: 'clinic' }]);
  });

  test('that was done although its answer was lost says on the page that it is gone', async () => {
    let standing = [appointment('Ada', 60)];
    const { press } = await openAda(
      {},
      {
        deskDay: () => dayOf(standing),
        deskCancelAppointment: () => {
          standing = [];
          return refused('unavailable');
        },
      },
    );
    await press();
    expect(await screen.findByText(/It is not on this day any more/)).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('of somebody without an account says what becomes of a fee that was taken', async () => {
    const { user, dialog } = await openAda({ hasAccount: false, fee: 'taken' });
    expect(dialog.getByText(/A fee that was paid is kept/)).toBeTruthy();
    await user.selectOptions(dialog.getByLabelText('Who wants it cancelled'), 'The clinic');
    expect(dialog.getByText(/does not go back by itself/)).toBeTruthy();
  });

  // Shows: R-98
  test('of one that the clinic moved gives the fee back, whoever wants it', async () => {
    const { dialog, press, bodies } = await openAda({ movedByClinic: true });
    expect(dialog.getByText(/a fee is given back in full/)).toBeTruthy();
    await press();
    expect(bodies()).toEqual([{ wantedBy: 'patient' }]);
  });
});

describe('An appointment that is dragged (S-18)', () => {
  test('warns before it moves that the patient is blocked from booking', async () => {
    await openLaidOut({
      deskBookingOptions: () => ({ ...options, block: 'booking' }),
    });
    drag('Eve', 'Two', '10:40').drop();
    await screen.findByRole('dialog', { name: /Move the appointment of Eve/ });
    expect(await screen.findByText(/^Booking is blocked for this patient/)).toBeTruthy();
  });

  test('says where it would land, and moves there once the dialog has been answered, not before', async () => {
    const { user, sent } = await openLaidOut();
    const dragged = drag('Eve', 'Two', '10:40');
    expect(screen.getByText('Move here: 10:40 to 10:50, Dr. Two')).toBeTruthy();
    dragged.drop();
    const dialog = within(
      await screen.findByRole('dialog', { name: /Move the appointment of Eve/ }),
    );
    await dialog.findByRole('heading', { name: 'Move to Mon Nov 23 10:40, Dr. Two' });
    await waitFor(() => expect(sent('deskFreeTimes')).toHaveLength(1));
    expect(document.activeElement?.textContent).toBe('Move to this time');
    expect(sent('deskMoveAppointment')).toEqual([]);
    expect(sent('deskOpenAppointment')).toEqual([]);
    const times = { type: 'E', from: '2026-11-23', providerId: 'Two' };
    expect(sent('deskFreeTimes')).toEqual([{ ...times, notBefore: NINE + 6_000 }]);
    await user.selectOptions(dialog.getByLabelText('Who wants it moved'), 'The clinic');
    await user.click(dialog.getAllByRole('button', { name: 'Move to this time' })[0] as Element);
    await screen.findByText(/^Moved to Mon Nov 23 10:40, Dr. Two/);
    expect(sent('deskMoveAppointment')).toEqual([
      { providerId: 'Two', start: NINE + 6_000, wantedBy: 'clinic' },
    ]);
  });

  test.each([
    ['another has that time', 'One', '10:35', 'Taken: 10:35 to 10:45, Dr. One'],
    ['it would overlap its own', 'Three', '10:30', 'Taken: 10:30 to 10:40, Dr. Three'],
    ['that time is over', 'Two', '09:30', 'Over: 09:30 to 09:40, Dr. Two'],
  ] as const)(
    'stays where it is, and says so before, where %s',
    async (_why, column, time, says) => {
      const { sent } = await openLaidOut();
      const dragged = drag('Eve', column, time);
      expect(screen.getByText(says)).toBeTruthy();
      dragged.drop();
      expect(screen.queryByText(says)).toBeNull();
      expect(screen.queryByRole('dialog')).toBeNull();
      // Nor is it opened: it was not pressed.
      expect(sent('deskOpenAppointment')).toEqual([]);
    },
  );

  test('may be dropped on closed time, and says that it needs a reason', async () => {
    await openLaidOut();
    const dragged = drag('Eve', 'Two', '10:55', { pointerType: 'pen' });
    // The sheet ends at 11:00.
    expect(screen.getByText('Closed, needs a reason: 10:50 to 11:00, Dr. Two')).toBeTruthy();
    dragged.drop();
    await screen.findByRole('dialog', { name: /Move the appointment of Eve/ });
  });

  test('is given up by Escape, which leaves what is open as it is', async () => {
    const { user, sent } = await openLaidOut();
    await user.click(entry('Bea'));
    await screen.findByRole('complementary', { name: 'Bea' });
    const dragged = drag('Eve', 'Two', '10:40');
    await user.keyboard('{Escape}');
    expect(screen.queryByText(/^Move here/)).toBeNull();
    dragged.drop();
    expect(screen.queryByRole('dialog')).toBeNull();
    screen.getByRole('complementary', { name: 'Bea' });
    expect(sent('deskOpenAppointment')).toHaveLength(1);
  });

  test('is not, by a finger, by a hand that shakes, or where it may not be moved', async () => {
    await openLaidOut();
    drag('Eve', 'Two', '10:40', { pointerType: 'touch' }).drop();
    drag('Dee', 'Two', '10:40').drop();
    expect(screen.queryByRole('dialog')).toBeNull();
    const eve = entry('Eve');
    fireEvent.pointerDown(eve, { pointerType: 'mouse', button: 0, clientX: 10, clientY: 10 });
    fireEvent.pointerMove(eve, { pointerType: 'mouse', buttons: 1, clientX: 13, clientY: 12 });
    fireEvent.pointerUp(eve, { pointerType: 'mouse', clientX: 13, clientY: 12 });
    fireEvent.click(eve, { detail: 1 });
    await screen.findByRole('complementary', { name: 'Eve' });
  });

  test.each<[string, (lift: object) => void]>([
    [
      'by the right button once the main one was lifted',
      (to) => {
        fireEvent.pointerMove(document.body, { ...to, buttons: 2 });
        fireEvent.pointerUp(document.body, { ...to, button: 2 });
      },
    ],
    [
      'by another pointer',
      (to) => fireEvent.pointerUp(document.body, { ...to, button: 0, pointerId: 7 }),
    ],
    [
      'once it was cancelled',
      (to) => {
        fireEvent.pointerCancel(document.body, to);
        fireEvent.pointerUp(document.body, { ...to, button: 0 });
      },
    ],
  ])('is not dropped %s', async (_, lift) => {
    await openLaidOut();
    drag('Eve', 'Two', '10:40');
    lift({ pointerId: 0, clientX: LEFT.Two + 100, clientY: topAt('10:40') + BENEATH + 3 });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('is given up by Escape before it has begun to move', async () => {
    await openLaidOut();
    const pressed = entry('Eve');
    fireEvent.pointerDown(pressed, { pointerType: 'mouse', button: 0, buttons: 1 });
    fireEvent.keyDown(document.body, { key: 'Escape' });
    const to = { clientX: LEFT.Two + 100, clientY: topAt('10:40') + BENEATH + 3 };
    fireEvent.pointerMove(document.body, { ...to, buttons: 1 });
    fireEvent.pointerUp(document.body, { ...to, button: 0 });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('M opens the same dialog by keyboard, where it may be moved, and Escape comes back', async () => {
    const { user, sent } = openSheet();
    await screen.findByRole('button', { name: /^10:25 Eve/ });
    entry('Dee').focus();
    await user.keyboard('m');
    expect(screen.queryByRole('dialog')).toBeNull();
    entry('Eve').focus();
    await user.keyboard('m');
    const dialog = within(
      await screen.findByRole('dialog', { name: /Move the appointment of Eve/ }),
    );
    await dialog.findByRole('option', { name: /^Mon Nov 23 10:40/ });
    expect(document.activeElement).toBe(dialog.getByRole('listbox', { name: 'Free times' }));
    await user.keyboard('{Escape}');
    expect(at()).toBe('Eve');
    expect(sent('deskMoveAppointment')).toEqual([]);
  });
});

describe('A time that waits for its payment link (S-18, R-98)', () => {
  const policy = {
    kind: 'general' as const,
    version: '1.0',
    hash: 'a'.repeat(64),
    title: 'Clinic policy',
    paragraphs: ['Please come in time.'],
  };

  test('says so on the sheet, and is made due at the clinic beside it', async () => {
    const linkUntil = NINE + 86_400;
    const waiting = { ...appointment('Ada', 0), state: 'held' as const, linkUntil };
    let isPaying = true;
    const { user, sent } = openSheet({
      deskDay: () => ({
        date: '2026-11-23',
        hours: { start: NINE, end: NINE + 7_200 },
        providers: [provider('One', [waiting])],
      }),
      deskConsents: () => ({ texts: [policy] }),
      deskPayAtClinic: () =>
        isPaying
          ? refused('paymentUnderWay', 'Your payment is under way.')
          : {
              id: 'ada',
              providerId: 'One',
              start: NINE,
              end: NINE + 600,
              isTold: true,
              feeCents: 1_000,
              linkUntil: null,
            },
    });
    const entered = await screen.findByRole('button', {
      name: /^09:00 Ada Payment link sent, held until/,
    });
    await user.click(entered);
    const makeDue = await screen.findByRole('button', { name: 'Make it due at the clinic' });
    await user.click(makeDue);
    await screen.findByText(/^The patient’s payment is under way/);
    isPaying = false;
    await user.click(makeDue);
    await screen.findByText(/^It is booked, and the fee is due at the clinic/);
    expect(sent('deskPayAtClinic')).toHaveLength(2);
    // Nobody agrees online any more.
    const readOut = within(await screen.findByRole('region', { name: 'Read out to the patient' }));
    readOut.getByText('Clinic policy, version 1.0');
  });

  test('is read out where the answer was lost that made it due', async () => {
    const shown = { ...appointment('Ada', 0), state: 'held' as const };
    let linkUntil: number | null = NINE + 86_400;
    const { user } = openSheet({
      deskDay: () => ({
        date: '2026-11-23',
        hours: { start: NINE, end: NINE + 7_200 },
        providers: [provider('One', [{ ...shown, linkUntil }])],
      }),
      deskConsents: () => ({ texts: [policy] }),
      deskPayAtClinic: () => {
        linkUntil = null;
        throw new Error('No answer');
      },
    });
    await user.click(await screen.findByRole('button', { name: /^09:00 Ada/ }));
    await user.click(await screen.findByRole('button', { name: 'Make it due at the clinic' }));
    await screen.findByText(/the payment link is waited for no more/);
    const readOut = within(await screen.findByRole('region', { name: 'Read out to the patient' }));
    expect(readOut.queryByText('Clinic policy, version 1.0')).not.toBeNull();
  });
});

describe('Did not come (S-18)', () => {
  const bea = appointment('Bea', 30);
  const openOn = (over: Partial<ApiSheetAppointment>, handlers: Parameters<typeof openDesk>[1]) => {
    let shown = { ...bea, ...over };
    return openSheet(
      {
        deskDay: () => ({
          date: '2026-11-23',
          hours: { start: NINE, end: NINE + 7_200 },
          providers: [provider('One', [shown])],
        }),
        deskNoteAttendance: ({ body }) => {
          const { to } = body as { to: ApiSheetAppointment['attendance'] };
          shown = { ...bea, attendance: to, next: to === 'noShow' ? ['expected'] : ['noShow'] };
        },
        ...handlers,
      },
      '?appointment=bea',
    );
  };
  const press = async (user: ReturnType<typeof openSheet>['user'], name: string) =>
    user.click(await screen.findByRole('button', { name }));

  test('asks by name and time, and is taken back', async () => {
    const { user, sent } = openOn({ next: ['noShow'] }, {});
    await press(user, 'Did not come');
    const asks = await screen.findByRole('dialog', { name: 'Bea, 09:30: did not come?' });
    expect(sent('deskNoteAttendance')).toEqual([]);
    await user.click(within(asks).getByRole('button', { name: 'Leave it' }));
    expect([screen.queryByRole('dialog'), sent('deskNoteAttendance')]).toEqual([null, []]);
    await press(user, 'Did not come');
    await user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Did not come' }),
    );
    expect((await screen.findByRole('alert')).textContent).toBe('Noted: Did not come.');
    await press(user, 'Take back');
    await screen.findByText('Taken back: the patient is expected again.');
    expect(sent('deskNoteAttendance')).toEqual([
      { to: 'noShow', from: 'expected' },
      { to: 'expected', from: 'noShow' },
    ]);
  });

  test('cannot be taken back once its time is taken, and says so', async () => {
    const says = 'This time is taken by now.';
    const walkIn = { doctor: '101', start: NINE + 3_600, end: NINE + 3_900 };
    const { user, sent } = openOn(
      { attendance: 'noShow', next: ['expected'] },
      {
        deskNoteAttendance: () => refused('noShowStands', says),
        deskBookingOptions: () => bookingOptions,
        deskFreeTimes: () => ({ times: [], walkIns: [walkIn] }),
        deskBook: () => placed,
      },
    );
    await press(user, 'Take back');
    expect((await screen.findByRole('alert')).textContent).toBe(says);
    await press(user, 'Book a walk-in time');
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(await dialog.findByRole('button', { name: /^10:00/ }));
    await waitFor(() => expect(sent('deskBook')).toMatchObject([{ overrideReason: 'walkIn' }]));
  });
});
