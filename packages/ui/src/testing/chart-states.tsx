import { Chart } from '../chart.tsx';

const rows = [
  { key: 'a', name: 'Monday', values: [12, 3, 4] },
  { key: 'b', name: 'Tuesday', values: [7, 5, 0] },
  { key: 'c', name: 'Wednesday', values: [0, null, 2] },
];
const series = [{ name: '09:00' }, { name: '10:00' }, { name: '11:00' }];

export const Figures = () =>
  (['bars', 'line', 'heat'] as const).map((kind) => (
    <Chart
      key={kind}
      kind={kind}
      title={`Appointments: ${kind}`}
      summary="Most are on Monday at nine."
      rowName="Day"
      series={kind === 'bars' ? series.slice(0, 2) : series}
      rows={rows}
      words={{ asTable: 'Show as a table', asPicture: 'Show as a picture', nothing: 'Nothing.' }}
      table={({ caption }) => <p>{caption}</p>}
    />
  ));
