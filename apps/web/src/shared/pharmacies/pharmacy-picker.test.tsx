import type { ApiPharmacy } from '@clinic/contract';
import { Dialog } from '@clinic/ui/dialog';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { reply } from '../../testing/booking-clinic.ts';
import { fakeService } from '../../testing/fake-service.ts';
import { renderPage } from '../../testing/render.tsx';
import { PharmacyPicker } from './pharmacy-picker.tsx';

const pharmacy = (id: string, name: string, address: string): ApiPharmacy => ({
  id,
  name,
  address: { address },
  fax: '604-555-9000',
  phone1: `604-555-${id}`,
});
const all = [
  pharmacy('1001', 'Harbour Pharmacy', '12 Water Street, Vancouver'),
  pharmacy('1002', 'St. André Drugs', '7 Main Street, Burnaby'),
  pharmacy('1003', 'Main Street Pharmacy', '900 Main Street, Vancouver'),
];

function Host({ start = null as string | null }) {
  const [value, setValue] = useState(start);
  return (
    <>
      <PharmacyPicker label="Preferred pharmacy" value={value} onChange={setValue} />
      <output>{value ?? 'none'}</output>
    </>
  );
}

function atPicker(start: string | null = null, pharmacies: readonly ApiPharmacy[] = all) {
  const service = fakeService(reply('listPharmacies', () => [...pharmacies]));
  renderPage(<Host start={start} />);
  return { service, person: userEvent.setup(), box: screen.getByRole('combobox') };
}
const names = () =>
  screen.queryAllByRole('option').map((option) => option.textContent?.split(/\d/)[0]);

// Shows: 5.choose-type.3
test('the search begins at 3 typed characters and shows name, address and phone (§5)', async () => {
  const { person, box } = atPicker();
  await person.type(box, 'ma');
  expect(names()).toEqual([]);
  expect(box.getAttribute('aria-expanded')).toBe('false');
  await person.type(box, 'i');
  expect(await screen.findByText('2 pharmacies found')).toBeTruthy();
  expect(names()).toEqual(['Main Street Pharmacy', 'St. André Drugs']);
  const [first] = screen.getAllByRole('option');
  expect(first?.textContent).toContain('900 Main Street, Vancouver');
  expect(first?.textContent).toContain('Phone 604-555-1003');
});

test('a pharmacy is found by several words, without accents, and by its phone number', async () => {
  const { person, box } = atPicker();
  await person.type(box, 'ST andre');
  expect(await screen.findByText('1 pharmacy found')).toBeTruthy();
  await person.clear(box);
  await person.type(box, '604 555-1001');
  expect(await screen.findByText('1 pharmacy found')).toBeTruthy();
  expect(names()).toEqual(['Harbour Pharmacy']);
  await person.clear(box);
  await person.type(box, 'nowhere');
  expect(await screen.findByText('No pharmacy found')).toBeTruthy();
});

test('the keyboard walks the list and chooses; the choice can be taken back', async () => {
  const { person, box } = atPicker();
  await person.type(box, 'main');
  await screen.findByText('2 pharmacies found');
  const [first, second] = screen.getAllByRole('option');
  expect(box.getAttribute('aria-activedescendant')).toBe(first?.id);
  await person.keyboard('{ArrowDown}');
  expect(box.getAttribute('aria-activedescendant')).toBe(second?.id);
  expect(second?.getAttribute('aria-selected')).toBe('true');
  await person.keyboard('{ArrowDown}{ArrowUp}{Enter}');
  expect(screen.getByText('1002')).toBeTruthy();
  const chosen = screen.getByRole('group', { name: 'Chosen pharmacy' });
  expect(within(chosen).getByText('St. André Drugs')).toBeTruthy();
  expect(names()).toEqual([]);
  await person.click(screen.getByRole('button', { name: 'Remove this pharmacy' }));
  expect(screen.getByText('none')).toBeTruthy();
  expect(document.activeElement).toBe(box);
});

test('a press chooses, and what was chosen before is shown', async () => {
  const { person, box } = atPicker('1001');
  expect(await screen.findByText('Harbour Pharmacy')).toBeTruthy();
  await person.type(box, 'street');
  await person.click(await screen.findByRole('option', { name: /^Main Street Pharmacy/ }));
  expect(screen.getByText('1003')).toBeTruthy();
});

test('Escape ends the search and not the dialog around it', async () => {
  fakeService(reply('listPharmacies', () => [...all]));
  let closed = 0;
  renderPage(
    <Dialog title="Pharmacy" onClose={() => (closed += 1)}>
      <Host />
    </Dialog>,
  );
  const person = userEvent.setup();
  await person.type(screen.getByRole('combobox'), 'main');
  await screen.findByText('2 pharmacies found');
  await person.keyboard('{Escape}');
  expect(names()).toEqual([]);
  expect(closed).toBe(0);
  await person.keyboard('{Escape}');
  expect(closed).toBe(1);
});

test('Enter does not send the form around it, whether the pharmacies are here yet or not', async () => {
  let come = () => {};
  const held = new Promise<void>((resolve) => (come = resolve));
  fakeService({
    'GET /pharmacy/all': async () => {
      await held;
      return { body: all };
    },
  });
  let sent = 0;
  renderPage(
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sent += 1;
      }}
    >
      <Host />
    </form>,
  );
  const person = userEvent.setup();
  await person.type(screen.getByRole('combobox'), 'harbour{Enter}');
  come();
  await screen.findByText('1 pharmacy found');
  await person.keyboard('{Enter}');
  expect(screen.getByText('1001')).toBeTruthy();
  expect(sent).toBe(0);
});

test('of many the first are shown, with how many there are', async () => {
  const many = Array.from({ length: 20 }, (_, n) => pharmacy(`2${n}00`, `Bay ${n}`, 'Bay Road'));
  const { person, box } = atPicker(null, many);
  await person.type(box, 'bay');
  expect(
    await screen.findByText('Showing the first 8 of 20. Type more to find yours.'),
  ).toBeTruthy();
  expect(screen.getAllByRole('option')).toHaveLength(8);
});

test('a list that did not come says so and can be asked for again', async () => {
  const service = fakeService({ 'GET /pharmacy/all': () => ({ status: 500, body: {} }) });
  renderPage(<Host />);
  expect(await screen.findByText("We couldn't load the pharmacies.")).toBeTruthy();
  service.answer('GET /pharmacy/all', () => ({ body: all }));
  const person = userEvent.setup();
  await person.click(screen.getByRole('button', { name: 'Try again' }));
  await person.type(screen.getByRole('combobox'), 'harbour');
  expect(await screen.findByText('1 pharmacy found')).toBeTruthy();
});
