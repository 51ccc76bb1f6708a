import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { NOW, openDesk, refused } from '../../testing/desk.tsx';
import { booking } from '../../testing/records.ts';

type Handlers = NonNullable<Parameters<typeof openDesk>[1]>;

const CASEY = '0b8a8f0e-5a55-4d8c-9a55-3f1b4f1f0c01';
const casey = {
  patientId: CASEY,
  recordId: '5001',
  name: 'Nguyen, Casey',
  birthDate: '1984-05-17',
};
const linh = {
  chart: '21',
  name: 'NGUYEN, LINH',
  birthDate: '1990-02-13',
  state: 'active' as const,
  known: null,
};
const charts = (...listed: object[]) => ({
  charts: listed.map((over) => ({ ...linh, ...over })),
  hasMore: false,
  isTooLittle: false,
});
const nobody = { patients: [], hasMore: false, hasEmr: true };

/** Looks for a name from any page, by keyboard alone. */
async function look(handlers: Handlers) {
  const desk = openDesk('/schedule', {
    ...booking,
    deskFindPatients: () => nobody,
    deskFindCharts: () => charts({}),
    ...handlers,
  });
  await screen.findByRole('button', { name: 'Find patient' });
  await desk.user.keyboard('{Control>}k{/Control}nguyen{Enter}');
  return desk;
}

// Shows: S-18
describe('A patient search where an EMR knows others', () => {
  test('shows whom we know at once, and then whom the EMR has besides', async () => {
    const emr = Promise.withResolvers<ReturnType<typeof charts>>();
    await look({
      deskFindPatients: () => ({ patients: [casey], hasMore: false, hasEmr: true }),
      deskFindCharts: () => emr.promise,
    });
    const known = await screen.findByRole('button', { name: /^Nguyen, Casey/ });
    expect(await screen.findByText(/^Looking in the EMR/)).toBeTruthy();
    expect(document.activeElement).toBe(known);
    emr.resolve(
      charts(
        { chart: '20', name: 'NGUYEN, CASEY', known: casey },
        {},
        { chart: '23', name: 'NGUYEN, ANH', state: 'inactive' },
        { chart: '24', name: 'NGUYEN, BAO', state: 'deceased' },
      ),
    );
    const list = within(await screen.findByRole('list', { name: 'In the EMR' }));
    // Who is known here is listed once, and what cannot be booked is no button.
    expect(list.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'NGUYEN, LINHborn 1990-02-13chart 21 in the EMR, no account',
    ]);
    expect(list.getByText(/chart 23 in the EMR, no account, not active/)).toBeTruthy();
    expect(list.getByText(/chart 24 in the EMR, no account, marked as deceased/)).toBeTruthy();
    expect(list.getAllByText(/^Cannot be booked/)).toHaveLength(2);
    expect(document.activeElement).toBe(known);
  });

  test('says nobody here, not nobody, above whom only the EMR has', async () => {
    await look({});
    expect(await screen.findByRole('button', { name: /^NGUYEN, LINH/ })).toBeTruthy();
    expect(screen.getByText('Nobody here fits.')).toBeTruthy();
    expect(screen.queryByText(/^Nobody was found/)).toBeNull();
  });

  test('books for whom only the EMR has, by keyboard', async () => {
    const { user, sent } = await look({
      deskOpenChart: () => ({ person: 'W21', likely: [] }),
      deskBookingOptions: ({ params }) => ({
        name: params.id === 'W21' ? 'Linh Nguyen' : 'Somebody else',
        hasAccount: false,
        birthDate: '1990-02-13',
        types: [{ code: 'E', description: 'Short visit', feeCents: 0 }],
        mayLink: false,
        providers: [{ id: '101', name: 'Dr. A. Stone' }],
        upcoming: [],
      }),
      deskBook: () => ({
        id: CASEY,
        providerId: '101',
        start: NOW + 1_800,
        end: NOW + 2_400,
        isTold: false,
        feeCents: 0,
        linkUntil: null,
      }),
    });
    const chart = await screen.findByRole('button', { name: /^NGUYEN, LINH/ });
    expect(document.activeElement).toBe(chart);
    await user.keyboard('{Enter}');
    await screen.findByRole('dialog', { name: 'Book for Linh Nguyen' });
    expect(sent('deskOpenChart')).toEqual([{ chart: '21' }]);
    await screen.findByRole('option', { name: /10:30/ });
    await user.keyboard('{Enter}{Enter}');
    expect(
      await screen.findByText(/^Booked: .* Nobody is told by email: tell them now\.$/),
    ).toBeTruthy();
  });

  test('asks whether somebody here is the same person, before anything is made', async () => {
    const likely = [{ ...casey, hasCard: true }];
    const { user, sent } = await look({
      deskOpenChart: ({ body }) => {
        const { same, apartFrom } = body as { same?: string; apartFrom?: string[] };
        return same === undefined && apartFrom === undefined
          ? { person: null, likely }
          : { person: same ?? 'W21', likely: [] };
      },
    });
    await user.click(await screen.findByRole('button', { name: /^NGUYEN, LINH/ }));
    const asked = within(await screen.findByRole('region', { name: 'Is it one of these?' }));
    expect(asked.getByText(/may be the same person as chart 21/)).toBeTruthy();
    await user.click(asked.getByRole('button', { name: /^Nguyen, Casey/ }));
    await screen.findByRole('dialog', { name: /^Book for/ });
    expect(sent('deskOpenChart')).toEqual([{ chart: '21' }, { chart: '21', same: CASEY }]);
  });

  test('makes a record for somebody else, where staff say so', async () => {
    const { user, sent } = await look({
      deskOpenChart: ({ body }) =>
        'apartFrom' in (body as object)
          ? { person: 'W21', likely: [] }
          : { person: null, likely: [{ ...casey, hasCard: false }] },
    });
    await user.click(await screen.findByRole('button', { name: /^NGUYEN, LINH/ }));
    await user.click(await screen.findByRole('button', { name: /^None of these/ }));
    await screen.findByRole('dialog', { name: /^Book for/ });
    expect(sent('deskOpenChart')).toEqual([{ chart: '21' }, { chart: '21', apartFrom: ['5001'] }]);
  });

  test.each([
    ['clinicUnreachable', /^The EMR does not answer, so only whom we know here is shown/],
    ['clinicRefuses', /^The EMR refuses to look for patients/],
    ['tooManyRequests', /^Wait a moment/],
  ])('says what is missing where the EMR answers %s', async (code, says) => {
    await look({
      deskFindPatients: () => ({ patients: [casey], hasMore: false, hasEmr: true }),
      deskFindCharts: () => refused(code, 'Wait a moment.'),
    });
    expect(await screen.findByText(says)).toBeTruthy();
    expect(screen.getByRole('button', { name: /^Nguyen, Casey/ })).toBeTruthy();
  });

  test.each([
    [{ isTooLittle: true }, /^The EMR was not asked/],
    [{ hasMore: true }, /^Too many in the EMR have such a name/],
    [{}, /^Nobody in the EMR fits either/],
  ])('says of nobody why, such as of %j', async (over, says) => {
    await look({ deskFindCharts: () => ({ ...charts(), ...over }) });
    expect(await screen.findByText(says)).toBeTruthy();
  });

  test('says that the EMR has more', async () => {
    await look({ deskFindCharts: () => ({ ...charts({}), hasMore: true }) });
    expect(await screen.findByText(/^The EMR has more/)).toBeTruthy();
  });

  test('says nobody where there is no EMR', async () => {
    await look({ deskFindPatients: () => ({ ...nobody, hasEmr: false }) });
    expect(await screen.findByText(/^Nobody was found/)).toBeTruthy();
  });

  test('asks no EMR where there is none, and none while one types', async () => {
    const { sent, user } = await look({
      deskFindPatients: () => ({ patients: [casey], hasMore: false, hasEmr: false }),
    });
    await screen.findByRole('button', { name: /^Nguyen, Casey/ });
    await user.keyboard('{Tab}');
    await user.type(screen.getByLabelText(/^Name, birth date/), ' linh');
    expect(sent('deskFindCharts')).toEqual([]);
    expect(sent('deskFindPatients')).toHaveLength(1);
  });
});
