import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderControls } from './testing/render.tsx';
import { Chart, type ChartData, type ChartTable } from './chart.tsx';

const WORDS = { asTable: 'Show as a table', asPicture: 'Show as a picture', nothing: 'Nothing.' };

const drawn = ({ caption, heads, rows }: ChartTable) => (
  <table aria-label={caption}>
    <thead>
      <tr>
        {heads.map((head) => (
          <th key={head}>{head}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ key, name, texts }) => (
        <tr key={key}>
          <th>{name}</th>
          {texts.map((text, at) => (
            <td key={heads[at + 1]}>{text}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

type Kind = 'bars' | 'line' | 'heat';
const show = (kind: Kind, data: ChartData) =>
  renderControls(
    <Chart
      {...data}
      kind={kind}
      title="Appointments"
      summary="Ten in all."
      rowName="Day"
      words={WORDS}
      table={drawn}
    />,
  );

/** The numbers of the table, without its heads. */
async function tableOf(): Promise<number[][]> {
  await userEvent.click(screen.getByRole('button', { name: WORDS.asTable }));
  const rows = [...screen.getByRole('table').querySelectorAll('tbody tr')];
  return rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent)));
}

const number = (of: Element | null | undefined, name: string) =>
  Number(of?.getAttribute(name) ?? 0);
const within = (root: Element, selector: string) => [...root.querySelectorAll(selector)];
/** Lengths are rounded by nothing, but may be off by the last digit. */
const whole = (value: number) => Math.round(value * 1e6) / 1e6;

/** What is drawn, read from lengths, heights and shades, where the longest, highest or darkest is the largest. */
const READ: Record<Kind, (picture: Element, data: ChartData) => number[][]> = {
  bars(picture, { series, most = 0 }) {
    const bars = within(picture, 'svg:not([data-sample])');
    return bars.map((bar) =>
      series.map((_, at) =>
        whole((number(bar.querySelector(`[data-series="${at}"]`), 'width') / 100) * most),
      ),
    );
  },
  line(picture, { series, rows, most = 0 }) {
    const heights = series.map((_, of) =>
      within(picture, `svg:not([data-sample]) [data-series="${of}"] path[d$=h0]`).map((point) => {
        const [, , y = ''] = /^M(\S+) (\S+)h0$/.exec(point.getAttribute('d') ?? '') ?? [];
        return whole(((100 - Number(y)) / 100) * most);
      }),
    );
    return rows.map((_, at) => heights.map((each) => each[at] ?? NaN));
  },
  heat: (picture) =>
    within(picture, 'svg > g').map((row) =>
      within(row, '[data-shade]').map((cell) => Number(cell.textContent)),
    ),
};

const data: ChartData = {
  series: [{ name: '08:00' }, { name: '09:00' }],
  rows: [
    { key: 'a', name: 'Mon', values: [3, 5] },
    { key: 'b', name: 'Tue', values: [0, 2] },
    { key: 'c', name: 'Wed', values: [7, 1] },
  ],
  most: 8,
};

test.each<Kind>(['bars', 'line', 'heat'])(
  'The picture of %s shows what its table says',
  async (kind) => {
    show(kind, data);
    const read = READ[kind](screen.getByRole('img', { name: 'Appointments' }), data);
    expect(read).toEqual([
      [3, 5],
      [0, 2],
      [7, 1],
    ]);
    expect(await tableOf()).toEqual(read);
  },
);

test('The shade of a cell grows with its value, and none has none', () => {
  show('heat', { ...data, most: undefined });
  const cells = within(screen.getByRole('img'), '[data-shade]');
  expect(cells.map((cell) => number(cell, 'data-shade'))).toEqual([2, 3, 0, 2, 4, 1]);
});

test('Without an end of the scale the longest bar fills its space', () => {
  const rows = [
    { key: 'a', name: 'Mon', values: [3] },
    { key: 'b', name: 'Tue', values: [7] },
  ];
  show('bars', { series: [{ name: 'One' }], rows });
  const bars = within(screen.getByRole('img'), 'rect');
  expect(bars.map((bar) => whole(number(bar, 'width')))).toEqual([whole(300 / 7), 100]);
});

test('What is not known is a dash in table and picture, and has no bar', async () => {
  show('bars', { series: [{ name: 'One' }], rows: [{ key: 'a', name: 'Mon', values: [null] }] });
  const picture = screen.getByRole('img');
  expect(within(picture, 'rect')).toEqual([]);
  expect(picture.textContent).toBe('Mon–');
  await userEvent.click(screen.getByRole('button', { name: WORDS.asTable }));
  expect(screen.getByRole('cell').textContent).toBe('–');
});

test('The table is behind one button, which keeps the focus and leads back', async () => {
  show('line', data);
  screen.getByText('Ten in all.');
  const button = screen.getByRole('button');
  await userEvent.click(button);
  expect(screen.queryByRole('img')).toBeNull();
  expect(document.activeElement).toBe(button);
  expect(button.textContent).toBe(WORDS.asPicture);
  await userEvent.click(button);
  screen.getByRole('img', { name: 'Appointments' });
});

test('Without a row there is neither picture nor table, and it says so', () => {
  show('heat', { series: [], rows: [] });
  screen.getByText('Nothing.');
  expect(screen.queryByRole('button')).toBeNull();
});
