import { NO_DATE, type DateParts } from '@clinic/domain';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { DateField } from './date-field.tsx';
import { renderControls } from './testing/render.tsx';
import { plainWords } from './testing/words.ts';
import { UiWordsProvider } from './words.tsx';

function Host({ years, told }: { years?: readonly number[]; told: (date: DateParts) => void }) {
  const [date, setDate] = useState(NO_DATE);
  return (
    <DateField
      id="born"
      label="Date of birth"
      autoComplete="bday"
      value={date}
      {...(years && { years })}
      onChange={(next) => {
        setDate(next);
        told(next);
      }}
    />
  );
}
const labels = () =>
  within(screen.getByRole('group', { name: 'Date of birth' }))
    .getAllByText(/^(Day|Month|Year)$/)
    .map((label) => label.textContent);

test('a date is asked for in the order of the language, and its first part has the id', () => {
  renderControls(<Host told={() => {}} />);
  expect(labels()).toEqual(['Month', 'Day', 'Year']);
  expect(screen.getByLabelText('Month').id).toBe('born');
});

test('in a language that begins with the day, the day is first and has the id', () => {
  renderControls(
    <UiWordsProvider words={{ ...plainWords, dateOrder: () => ['day', 'month', 'year'] }}>
      <Host told={() => {}} />
    </UiWordsProvider>,
  );
  expect(labels()).toEqual(['Day', 'Month', 'Year']);
  expect(screen.getByLabelText('Day').id).toBe('born');
});

test('day and year are typed as digits and the month is chosen by its name', async () => {
  const told: DateParts[] = [];
  renderControls(<Host told={(date) => told.push(date)} />);
  await userEvent.type(screen.getByLabelText('Day'), '1x7');
  await userEvent.selectOptions(screen.getByLabelText('Month'), 'May');
  await userEvent.type(screen.getByLabelText('Year'), '1984');
  expect(told.at(-1)).toEqual({ year: 1984, month: 5, day: 17 });
  await userEvent.clear(screen.getByLabelText('Day'));
  await userEvent.selectOptions(screen.getByLabelText('Month'), '–');
  expect(told.at(-1)).toEqual({ year: 1984, month: 0, day: 0 });
});

test('a date pasted into one part fills all; what is no such part stays, for the rules to refuse', async () => {
  const told: DateParts[] = [];
  renderControls(<Host told={(date) => told.push(date)} />);
  await userEvent.click(screen.getByLabelText('Day'));
  await userEvent.paste('1984-05-17');
  expect(told.at(-1)).toEqual({ year: 1984, month: 5, day: 17 });
  await userEvent.type(screen.getByLabelText('Year'), '5');
  expect(told.at(-1)).toEqual({ year: 19845, month: 5, day: 17 });
  await userEvent.clear(screen.getByLabelText('Day'));
  await userEvent.paste('17/05/1984');
  expect(told.at(-1)?.day).toBe(17051984);
});

test('a browser may fill in a birth date', () => {
  renderControls(<Host told={() => {}} />);
  const kinds = ['Month', 'Day', 'Year'].map((part) =>
    screen.getByLabelText(part).getAttribute('autocomplete'),
  );
  expect(kinds).toEqual(['bday-month', 'bday-day', 'bday-year']);
});

test('where only some years can be meant they are a list', async () => {
  const told: DateParts[] = [];
  renderControls(<Host years={[2026, 2027]} told={(date) => told.push(date)} />);
  const year = screen.getByLabelText('Year');
  expect(within(year).getAllByRole('option')).toHaveLength(3);
  await userEvent.selectOptions(year, '2027');
  expect(told).toEqual([{ year: 2027, month: 0, day: 0 }]);
});
