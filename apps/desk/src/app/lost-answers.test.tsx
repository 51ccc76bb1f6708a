import type { DeskCallId } from '@clinic/contract';
import { deskRoutes } from '@clinic/contract/desk-routes';
import { render, screen, waitFor } from '@testing-library/react';
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
  // language.test.tsx
  'deskChooseLanguage',
];

/** Calls that only look, though they are no GET: what they are told does not stand in a URL. */
const LOOKS: readonly DeskCallId[] = [
  'deskAskPasskey',
  'deskReadInvitation',
  'deskAskOwnPasskey',
  'deskAskNewPasskey',
  'deskPrintDay',
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

/** What is known of an act: that it is done, that it is not, or neither. */
type Known = 'done' | 'refused' | 'open';

interface Fault {
  readonly answer: () => unknown;
  /** Whether the service has carried out the act all the same. */
  readonly isDone: boolean;
  readonly known: Known;
}
const lost = (answer: Fault['answer'], isDone: boolean): Fault => ({
  answer,
  isDone,
  known: 'open',
});
const cut = () => {
  throw new TypeError('No answer');
};
const tooLate = () => {
  throw new DOMException('Given up after a minute', 'TimeoutError');
};
const proxy = (status: number) => () => new Response('<h1>Bad gateway</h1>', { status });

const REFUSAL = 'Not as things are now.';
/** What becomes of the answer to an act. */
const FAULTS: Readonly<Record<string, Fault>> = {
  'cut, the act done': lost(cut, true),
  'cut, the act not done': lost(cut, false),
  'a 503, the act not done': lost(() => refused('serviceBusy'), false),
  'broken off within, the act done': lost(() => new Response('{"success":tr'), true),
  refused: { answer: () => refused('notFound', REFUSAL), isDone: false, known: 'refused' },
  'given up, the act done later': lost(tooLate, true),
  'a 500, the act not done': lost(() => refused('bug'), false),
  'a 502 of a proxy, the act done': lost(proxy(502), true),
  slow: { answer: () => slow.promise, isDone: true, known: 'done' },
  'turned away': {
    answer: () => refused('tooManyRequests', REFUSAL),
    isDone: false,
    known: 'refused',
  },
  'a 503, the act done': lost(() => refused('serviceBusy'), true),
  'a 504 of a proxy, the act not done': lost(proxy(504), false),
  'a 500, the act done': lost(() => refused('bug'), true),
};
/** An answer that comes once the test lets it. */
let slow = Promise.withResolvers<void>();

/** Acts that meet every fault; each other one meets some, in turns. */
const MEETS_ALL: readonly string[] = [
  'deskBook',
  'deskMoveAppointment',
  'deskCancelAppointment',
  'deskNoteAttendance',
  'deskCloseTime',
  'deskRefund',
  'deskMergePatients',
  'deskPublishText',
  'deskInvitePatient',
  'deskAnswerMessage',
];
const IN_TURNS = 2;
const faults = Object.keys(FAULTS);
const CELLS = Object.keys(ACTS).flatMap((id, at) =>
  faults
    .filter(
      (_, nth) =>
        MEETS_ALL.includes(id) ||
        (nth - at * IN_TURNS + 1_000 * faults.length) % faults.length < IN_TURNS,
    )
    .map((fault) => [id, fault] as const),
);

interface Words {
  readonly done: RegExp;
  readonly unknown: RegExp;
}

/** The outcomes that a page tells, beside those of what was done before. */
function told({ done, unknown }: Words, before: number): Known[] {
  const alerts = screen.queryAllByRole('alert').map(({ textContent }) => textContent);
  return [
    ...(screen.queryAllByText(done).length !== before ? (['done'] as const) : []),
    ...(alerts.some((says) => unknown.test(says)) ? (['open'] as const) : []),
    ...(alerts.some((says) => says.includes(REFUSAL) && !unknown.test(says))
      ? (['refused'] as const)
      : []),
  ];
}

test('an outcome is told of each kind that a page can tell, and untrue ones are seen', () => {
  const words = { done: /^Booked/, unknown: /not known whether/ };
  const page = (says: string) => render(<p role="alert">{says}</p>);
  for (const [says, known] of [
    ['Booked for 10:30.', 'done'],
    ['It is not known whether this is done.', 'open'],
    [`It is not known whether this is done. ${REFUSAL}`, 'open'],
    [REFUSAL, 'refused'],
  ] as const) {
    const { unmount } = page(says);
    expect(told(words, 0)).toEqual([known]);
    unmount();
  }
});

test('there are more than 60 answers that go wrong, of every kind', () => {
  expect(CELLS.length).toBeGreaterThan(60);
  expect(new Set(CELLS.map(([, fault]) => fault)).size).toBe(faults.length);
});

// Shows: R-95, S-18
test.each(CELLS)(
  'of %s, whose answer is %s, only what is known is told, and it is done once',
  async (id, name) => {
    const act = ACTS[id as DeskCallId] ?? nothing();
    const fault = FAULTS[name] ?? nothing();
    const { unknown = /not known whether this is done/, send, again = send } = act;
    const words = { done: act.done, unknown };
    const sendings: [params: unknown, body: unknown, key: string | null][] = [];
    const carriedOut = new Set<string>();
    slow = Promise.withResolvers();
    const desk = openDesk(act.path, {
      ...act.handlers,
      [id]: async ({ params, body, headers }: Parameters<NonNullable<Handlers['deskBook']>>[0]) => {
        if (act.preview !== undefined && onlyLooks(body)) return act.preview;
        const sending: (typeof sendings)[0] = [params, body, headers.get('idempotency-key')];
        sendings.push(sending);
        if (sendings.length === 2 && fault.known === 'open')
          return refused('tooManyRequests', 'Wait a moment.');
        if (sendings.length > 1 || fault.isDone) carriedOut.add(JSON.stringify(sending));
        return (sendings.length === 1 && (await fault.answer())) || act.answer;
      },
    });
    for (const step of act.begin ?? []) await step(desk);
    const before = screen.queryAllByText(act.done).length;
    for (const step of send) await step(desk);
    await waitFor(() => expect(sendings).toHaveLength(1));
    if (name === 'slow') {
      expect(told(words, before)).toEqual([]);
      for (const button of document.querySelectorAll('[aria-disabled=true]'))
        await desk.user.click(button);
      slow.resolve();
    } else {
      const [says] = await screen.findAllByText(fault.known === 'open' ? unknown : REFUSAL);
      expect(told(words, before)).toEqual([fault.known]);
      expect(says?.closest('[role=alert]')?.contains(document.activeElement)).toBe(true);
    }
    if (name === 'refused' && act.isOverOnceRefused) return;
    if (fault.known === 'open') {
      for (const step of again) await step(desk);
      await waitFor(() => expect(sendings).toHaveLength(2));
      expect((await screen.findByText(/Wait a moment\./)).textContent).toMatch(unknown);
    }
    if (name !== 'slow') for (const step of fault.known === 'open' ? again : send) await step(desk);
    await waitFor(() => expect(told(words, before)).toEqual(['done']));
    // Under a new key only once it is known that nothing was done.
    if (fault.known === 'open') expect(sendings).toEqual([sendings[0], sendings[0], sendings[0]]);
    const [key, next] = sendings.map(([, , each]) => each);
    if (key !== null) {
      expect(key).toMatch(/^[\da-f-]{36}$/);
      if (fault.known === 'refused') expect(next).not.toBe(key);
    }
    expect(carriedOut.size).toBe(1);
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
