import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { speak } from '../../messages/t.ts';
import { renderPage } from '../../testing/render.tsx';
import { PassportCountrySelect } from '../immigration/immigration-fields.tsx';
import { CountrySelect, countryName } from './country-select.tsx';
import { ProvinceSelect } from './province-select.tsx';

afterEach(() => speak('en'));

const labels = () => screen.getAllByRole('option').map(({ textContent }) => textContent);

// Shows: 3.provinces.1
test('an address offers the 13 provinces and territories and Other (§3)', async () => {
  const chosen: string[] = [];
  renderPage(
    <ProvinceSelect
      of="address"
      label="Province"
      value="BC"
      onChange={(one) => chosen.push(one)}
    />,
  );
  expect(labels()).toHaveLength(15);
  expect(labels().slice(0, 3)).toEqual(['Please choose', 'Alberta', 'British Columbia']);
  expect(labels().at(-1)).toBe('Other');
  await userEvent.selectOptions(screen.getByLabelText('Province'), 'Nunavut');
  await userEvent.selectOptions(screen.getByLabelText('Province'), '');
  expect(chosen).toEqual(['NU', '']);
});

// Shows: 3.provinces.1
test('a health card words Other as having no Canadian card (§3)', () => {
  renderPage(
    <ProvinceSelect of="healthCard" label="Health Card Province" value="" onChange={() => {}} />,
  );
  expect(labels().at(-1)).toBe('I Do Not Have A Canadian Healthcare Card');
});

// Shows: 3.provinces.1
test('an address offers every country by name, and keeps one that the list does not know', () => {
  const { rerender } = renderPage(
    <CountrySelect label="Country" value="Canada" onChange={() => {}} />,
  );
  expect(labels().length).toBeGreaterThan(240);
  expect(screen.getByLabelText('Country')).toHaveProperty('value', 'Canada');
  rerender(<CountrySelect label="Country" value="Yugoslavia" onChange={() => {}} />);
  expect(screen.getByLabelText('Country')).toHaveProperty('value', 'Yugoslavia');
});

// Shows: R-99
test('a country is called and found as in the language, and kept by its English name', async () => {
  await speak('fr');
  const chosen: string[] = [];
  renderPage(<CountrySelect label="Pays" value="Canada" onChange={(one) => chosen.push(one)} />);
  const names = labels();
  expect(names.indexOf('Allemagne')).toBeLessThan(names.indexOf('Canada'));
  expect(names.indexOf('Égypte')).toBeLessThan(names.indexOf('France'));
  await userEvent.selectOptions(screen.getByLabelText('Pays'), 'Allemagne');
  expect(chosen).toEqual(['Germany']);
  expect(countryName('Germany')).toBe('Allemagne');
  expect(countryName('Yugoslavia')).toBe('Yugoslavia');
});

// Shows: 3.immigration.2
test('a passport can name what is no country, by its code', async () => {
  const chosen: string[] = [];
  renderPage(
    <PassportCountrySelect
      label="Country of birth"
      value=""
      onChange={(one) => chosen.push(one)}
    />,
  );
  const select = screen.getByLabelText('Country of birth');
  await userEvent.selectOptions(select, 'Canada');
  await userEvent.selectOptions(select, 'Stateless person (1954 Convention)');
  expect(chosen).toEqual(['CAN', 'XXA']);
});
