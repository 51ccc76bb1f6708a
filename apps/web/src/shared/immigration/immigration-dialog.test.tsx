import type { ApiMedicalProfile } from '@clinic/contract';
import { NOW, aMedicalProfile } from '@clinic/domain/testing';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reply, type Replies } from '../../testing/booking-clinic.ts';
import { liveSays } from '../../testing/fake-live.ts';
import { fakeService, refusal } from '../../testing/fake-service.ts';
import { FollowChanges } from '../../testing/follow-changes.tsx';
import { casey } from '../../testing/people.ts';
import { renderPage } from '../../testing/render.tsx';
import { ImmigrationDialog } from './immigration-dialog.tsx';

const kept = aMedicalProfile({ hearAboutUs: 'A friend' });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW * 1000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const profile = (found: ApiMedicalProfile | null) =>
  reply('readMedicalProfile', () => ({
    success: true,
    extras: { message: '', profile: found },
  }));

function Host({ ended }: { ended: string[] }) {
  const [open, setOpen] = useState(true);
  if (!open) return <button onClick={() => setOpen(true)}>Open again</button>;
  return (
    <ImmigrationDialog
      user={casey}
      onDone={() => ended.push('done')}
      onBack={() => setOpen(false)}
    />
  );
}

async function atForm(found: ApiMedicalProfile | null, changed: Replies = {}) {
  const saved: unknown[] = [];
  const saves = reply('saveMedicalProfile', ({ body }) => {
    saved.push(body);
    return { success: true, extras: { message: '', profile: body.eMedProfile } };
  });
  const service = fakeService({ ...profile(found), ...saves, ...changed });
  const ended: string[] = [];
  renderPage(
    <>
      <FollowChanges />
      <Host ended={ended} />
    </>,
  );
  await screen.findByLabelText('Passport number');
  const person = userEvent.setup();
  const press = (name: string) => person.click(screen.getByRole('button', { name }));
  const type = async (label: string, text: string) => {
    await person.clear(field(label));
    await person.type(field(label), text);
  };
  const date = async (label: string, ...parts: readonly [string, string, string]) => {
    await person.selectOptions(datePart(label, 'Year'), parts[0]);
    await person.selectOptions(datePart(label, 'Month'), parts[1]);
    await person.clear(datePart(label, 'Day'));
    await person.type(datePart(label, 'Day'), parts[2]);
  };
  return { service, saved, ended, person, press, type, date };
}
const field = (label: string) => screen.getByLabelText(label);
const datePart = (label: string, part: 'Year' | 'Month' | 'Day') =>
  within(screen.getByRole('group', { name: label })).getByLabelText(part);
const valueOf = (label: string) => (field(label) as HTMLInputElement).value;
const yearsOf = (label: string) =>
  [...(datePart(label, 'Year') as HTMLSelectElement).options]
    .map(({ value }) => Number(value))
    .slice(1);

// Shows: 3.gender.1, 9.immigration.1
test('a first form knows what the account knows, with the defaults of §9', async () => {
  await atForm(null);
  expect(
    ['First name', 'Last name', 'Address', 'City', 'Postal code', 'Phone'].map(valueOf),
  ).toEqual(['Casey', 'Morgan', '1 Main Street', 'Vancouver', 'V5K 0A1', '6045550123']);
  expect(screen.getByRole('radio', { name: 'Female (F)' })).toHaveProperty('checked', true);
  const born = (['Year', 'Month', 'Day'] as const).map((part) => datePart('Date of birth', part));
  expect(born.map((part) => (part as HTMLInputElement).value)).toEqual(['1984', '5', '17']);
  expect(valueOf('Identity document')).toBe('01');
  expect(valueOf('Preferred language')).toBe('1201A');
  expect(valueOf('Passport number')).toBe('');
});

// Shows: 3.immigration.2, 5.immigration.4, R-82
test('years go back to 1900, for the passport to 2001, and on to the later of 2035 and in 10 years', async () => {
  await atForm(null);
  expect([yearsOf('Date of birth')[0], yearsOf('Date of birth').at(-1)]).toEqual([2026, 1900]);
  expect([yearsOf('Date of issue')[0], yearsOf('Date of issue').at(-1)]).toEqual([2026, 2001]);
  expect([yearsOf('Date of expiry')[0], yearsOf('Date of expiry').at(-1)]).toEqual([2026, 2036]);
  const visas = within(field('Visa status')).getAllByRole('option');
  expect(visas.map((option) => (option as HTMLOptionElement).value)).toEqual([
    '',
    'FML',
    'STD',
    'VST',
    'WRK',
  ]);
});

// Shows: R-3
test('what another device saves meanwhile is shown, and undone only where one has chosen so', async () => {
  const { service, saved, press, type } = await atForm(kept);
  await type('City', 'Burnaby');
  const marks: (string | null)[] = [];
  const there = { ...kept, city: 'Kelowna', postal: 'V1Y 1A1' };
  const answer = profile(there)['GET /services/emedical'];
  service.answer('GET /services/emedical', (asked) => {
    marks.push(asked.headers.get('x-background'));
    return answer?.(asked) ?? 'unreachable';
  });
  liveSays('onAccount');
  const notice = await screen.findByText(/has changed since you opened this form/);
  expect(notice.parentElement?.textContent).toContain('City, as saved now:Kelowna');
  expect([valueOf('City'), valueOf('Postal code'), marks]).toEqual(['Burnaby', 'V1Y 1A1', ['1']]);
  await press('Save and continue');
  expect(saved).toEqual([]);
  await press('Keep mine');
  await press('Save and continue');
  expect(saved).toMatchObject([{ eMedProfile: { city: 'Burnaby', postal: 'V1Y 1A1' } }]);
});

// Shows: 5.immigration.1
test('every empty field is highlighted and named in the summary, and nothing is sent', async () => {
  const { saved, press } = await atForm(null);
  await press('Save and continue');
  const links = within(screen.getByRole('alert')).getAllByRole('link');
  expect(links).toHaveLength(7);
  expect(document.activeElement).toBe(screen.getByRole('alert'));
  expect(links.map(({ textContent }) => textContent)).toEqual(
    [
      'Country of birth',
      'Passport number',
      'Issuing country',
      'Date of issue',
      'Date of expiry',
      'Visa status',
      'How did you hear about us?',
    ].map((label) => `${label}: Highlighted field cannot be empty`),
  );
  expect(field('Passport number').getAttribute('aria-describedby')).toBeTruthy();
  expect(screen.getAllByText('Highlighted field cannot be empty')).toHaveLength(7);
  expect(field('Passport number').getAttribute('aria-invalid')).toBe('true');
  expect(field('First name').getAttribute('aria-invalid')).toBeNull();
  expect(saved).toEqual([]);
});

// Shows: 5.immigration.2, 5.immigration.3, 9.immigration.1
test('dates that cannot be are refused in words', async () => {
  const { press, date, saved } = await atForm(kept);
  await date('Date of expiry', '2026', 'November', '20');
  await date('Date of issue', '2001', 'May', '6');
  await date('Date of birth', '2001', 'February', '30');
  await press('Save and continue');
  const words = within(screen.getByRole('alert'))
    .getAllByRole('link')
    .map(({ textContent }) => textContent);
  expect(words).toEqual([
    'Date of birth must be between 1900 and today',
    'Date of issue must be between 2001-05-07 and today',
    'Date of expiry must be equal to or after today',
  ]);
  await date('Date of expiry', '2026', 'November', '21');
  await date('Date of issue', '2001', 'May', '7');
  await date('Date of birth', '2001', 'March', '1');
  await press('Save and continue');
  expect(saved).toHaveLength(1);
});

test('a passport number kept from before that is none is asked for again (§3)', async () => {
  const { saved, press, type } = await atForm({ ...kept, passportNumber: 'AB<script>1' });
  await press('Save and continue');
  const [link] = within(screen.getByRole('alert')).getAllByRole('link');
  expect(link?.textContent).toBe(
    'Passport number: Please enter the passport number as 5 to 20 letters and digits.',
  );
  expect(valueOf('Passport number')).toBe('AB<script>1');
  await type('Passport number', 'ab-12 3456');
  await press('Save and continue');
  expect(saved).toEqual([{ eMedProfile: { ...kept, passportNumber: 'AB123456' } }]);
});

// Shows: 3.immigration.1, 5.immigration.3
test('the profile kept last time fills the form, and is sent tidied', async () => {
  const { saved, ended, press, type } = await atForm(kept);
  expect(valueOf('Passport number')).toBe('AB123456');
  expect(valueOf('Country of birth')).toBe('GBR');
  await type('Passport number', 'AB 98 76 54');
  await type('Phone', '604-555-0199');
  await press('Save and continue');
  await expect.poll(() => ended).toEqual(['done']);
  expect(saved).toEqual([
    { eMedProfile: { ...kept, passportNumber: 'AB987654', phone: '6045550199' } },
  ]);
});

test('Back keeps what was typed', async () => {
  const { press, type } = await atForm(kept);
  await type('How did you hear about us?', 'The radio');
  await press('Back');
  await press('Open again');
  expect(valueOf('How did you hear about us?')).toBe('The radio');
});

// Shows: 8.alerts.10, text.post-services-emedical-getorcreate
test('a failure says which and keeps the form: refused, and not reached (§8)', async () => {
  const { service, ended, press } = await atForm(kept);
  const failsWith = async (status: number, message: string) => {
    service.answer('POST /services/emedical/getorcreate', () => ({
      status,
      body: refusal('broken', message),
    }));
    await press('Save and continue');
  };
  await failsWith(409, '');
  expect(
    await screen.findByText('Create Medical Profile Failed, please contact support.'),
  ).toBeTruthy();
  await failsWith(503, '');
  expect(await screen.findByText('Create Medical Profile Failed.')).toBeTruthy();
  await failsWith(409, 'Please call the clinic.');
  expect(await screen.findByText('Please call the clinic.')).toBeTruthy();
  service.answer('POST /services/emedical/getorcreate', () => 'unreachable');
  await press('Save and continue');
  expect(await screen.findByText('Create Medical Profile Failed.')).toBeTruthy();
  expect(valueOf('Passport number')).toBe('AB123456');
  expect(ended).toEqual([]);
});

test('what the service refuses stands at its field', async () => {
  const errors = [{ field: 'eMedProfile.phone', message: 'Please enter the phone in digits.' }];
  const { press } = await atForm(kept, {
    'POST /services/emedical/getorcreate': () => ({
      status: 422,
      body: refusal('invalidInput', 'x', { errors }),
    }),
  });
  await press('Save and continue');
  expect(
    await within(await screen.findByRole('alert')).findByRole('link', {
      name: 'Phone: Please enter the phone in digits.',
    }),
  ).toBeTruthy();
  expect(field('Phone').getAttribute('aria-invalid')).toBe('true');
});

test('a profile that cannot be read leaves the account’s own facts', async () => {
  await atForm(null, { 'GET /services/emedical': () => ({ status: 500, body: {} }) });
  expect(valueOf('First name')).toBe('Casey');
});
