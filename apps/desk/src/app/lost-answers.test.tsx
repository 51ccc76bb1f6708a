import type { DeskCallId } from '@clinic/contract';
import { deskRoutes } from '@clinic/contract/desk-routes';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ACTS } from '../testing/acts.ts';
import { type Handlers, openDesk, refused } from '../testing/desk.tsx';
import { sheet } from '../testing/records.ts';

/** Calls that change something and are tested elsewhere, as their outcome is told in another way. */
const ELSEWHERE: readonly DeskCallId[] = [
  // lock-screen.test.tsx
  'deskLock',
  'deskSignOut',
  // passkeys.test.tsx
  'deskAddPasskey',
];

/** Calls that only look, though they are no GET: what they are told does not stand in a URL. */
const LOOKS: readonly DeskCallId[] = [
  'deskAskPasskey',
  'deskReadInvitation',
  'deskAskOwnPasskey',
  'deskAskNewPasskey',
  'deskOpenAppointment',
  'deskFindPatients',
  'deskFindCharts',
  'deskLikelyPatients',
  'deskBookingOptions',
  'deskFreeTimes',
  'deskForeseeClosing',
  'deskForeseenPatients',
  'deskOpenMessage',
  'deskOpenSuggestion',
  'deskPatientsWaiting',
  'deskOpenPatient',
  'deskShowCard',
  'deskOpenDocument',
  'deskForeseeMerge',
  'deskLikelyCharts',
  'deskAuditTrail',
  'deskStatistics',
  'deskExportTable',
];

test('every call of the desk that changes something has its place here', () => {
  const changing = (Object.keys(deskRoutes) as DeskCallId[]).filter(
    (id) => deskRoutes[id][0] !== 'GET' && !LOOKS.includes(id),
  );
  expect([...Object.keys(ACTS), ...ELSEWHERE].toSorted()).toEqual(changing.toSorted());
});

const onlyLooks = (body: unknown) =>
  typeof body === 'object' && body !== null && 'isPreview' in body
    ? body.isPreview === true
    : !(typeof body === 'object' && body !== null && 'version' in body);

/** How an answer is lost, in turns: none of them says whether the work was done. */
const LOSSES = [
  () => {
    throw new TypeError('No answer');
  },
  () => refused('serviceBusy'),
  () => refused('bug'),
  () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
];

// Shows: R-95, S-18
test.each(
  Object.entries(ACTS).map(
    ([id, act], at) => [id, act, LOSSES[at % LOSSES.length] ?? LOSSES[0]] as const,
  ),
)(
  'a lost answer of %s is told as not known, and it is sent again as it was',
  async (id, act, lose) => {
    const { unknown = /not known whether this is done/, send, again = send } = act;
    const sendings: unknown[] = [];
    const desk = openDesk(act.path, {
      ...act.handlers,
      [id]: ({ params, body, headers }: Parameters<NonNullable<Handlers['deskBook']>>[0]) => {
        if (act.preview !== undefined && onlyLooks(body)) return act.preview;
        sendings.push([params, body, headers.get('idempotency-key')]);
        if (sendings.length === 1) return lose?.();
        return sendings.length === 2 ? refused('tooManyRequests', 'Wait a moment.') : act.answer;
      },
    });
    for (const step of [...(act.begin ?? []), ...send]) await step(desk);
    const said = await screen.findByText(unknown);
    expect(said.closest('[role=alert]')?.contains(globalThis.document.activeElement)).toBe(true);
    for (const step of again) await step(desk);
    await waitFor(() => expect(sendings).toHaveLength(2));
    const stillOpen = await screen.findByText(/Wait a moment\./);
    expect(stillOpen.textContent).toMatch(unknown);
    for (const step of again) await step(desk);
    await waitFor(() => expect(sendings).toHaveLength(3));
    expect((await screen.findAllByText(act.done)).length).toBeGreaterThan(0);
    await waitFor(() => expect(screen.queryByText(unknown)).toBeNull());
    expect(sendings).toEqual([sendings[0], sendings[0], sendings[0]]);
  },
);

test('what is turned away is not said to be open because something else was lost before', async () => {
  const { path, send } = ACTS.deskNoteAttendance ?? nothing();
  let noted = 0;
  const seen = sheet();
  const arrived = sheet({ state: 'registered', attendance: 'arrived', next: ['inRoom'] });
  const desk = openDesk(path, {
    ...seen,
    deskDay: (asked) => (noted === 0 ? seen : arrived).deskDay?.(asked) ?? refused('bug'),
    deskNoteAttendance: () => {
      noted += 1;
      if (noted === 1) throw new TypeError('No answer');
      return refused('tooManyRequests', 'Wait a moment.');
    },
  });
  for (const step of send) await step(desk);
  await screen.findByText(/not known whether this is done/);
  await desk.user.click(await screen.findByRole('button', { name: 'In the room' }));
  expect((await screen.findByText(/Wait a moment\./)).textContent).toBe('Wait a moment.');
});

test('staff read in their own words what the EMR does not do', async () => {
  const { path, handlers, begin = [], send } = ACTS.deskBook ?? nothing();
  const desk = openDesk(path, {
    ...handlers,
    deskBook: () => refused('recordMissing', 'Please answer the question.'),
  });
  for (const step of [...begin, ...send]) await step(desk);
  expect(await screen.findByText(/The EMR has no record of this patient/)).toBeTruthy();
});

test('what is left under way is told on the page that is open by then, until it is read', async () => {
  const lost = Promise.withResolvers<never>();
  const { path, handlers, begin = [], send } = ACTS.deskNoteMessage ?? nothing();
  const desk = openDesk(path, {
    ...handlers,
    deskNoteMessage: () => lost.promise,
    deskPatientsWaiting: () => ({ documents: [], waiting: 0, next: null, bounced: [] }),
  });
  for (const step of [...begin, ...send]) await step(desk);
  await screen.findByText('Adding');
  await desk.user.click(screen.getByRole('link', { name: 'Patients' }));
  await screen.findByRole('heading', { name: 'Patients' });
  lost.reject(new TypeError('No answer'));
  const said = await screen.findByText(/not known whether this is done/);
  expect(said.closest('[role=log]')).not.toBeNull();
  await desk.user.click(screen.getByRole('link', { name: 'Back to that page' }));
  await screen.findByRole('heading', { name: 'Morgan, Casey' });
  await desk.user.click(screen.getByRole('button', { name: 'I have read it' }));
  expect(screen.queryByText(/not known whether this is done/)).toBeNull();
});

const nothing = (): never => {
  throw new Error('No such act');
};
