import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NOW, openDesk, refused } from '../../testing/desk.tsx';

const languages = [
  { id: 'en', name: 'English', dir: 'ltr' as const },
  { id: 'fr', name: 'Français', dir: 'ltr' as const },
];
const product = {
  version: '1.0',
  isDraft: true,
  since: null,
  by: null,
  texts: [{ locale: 'en', title: 'Consent', paragraphs: ['One.', 'Two.'] }],
};
const theirs = {
  version: '2',
  isDraft: false,
  since: NOW,
  by: 'Robin Lee',
  texts: [{ locale: 'en', title: 'Consent', paragraphs: ['What Robin wrote.'] }],
};

function openEditor(publish: Parameters<typeof openDesk>[1]) {
  let versions = [product];
  const setUp = {
    contacts: { name: 'Test Clinic', email: '', phone: '', address: '' },
    maintenance: null,
    tables: [],
    providers: [],
    types: [],
    fees: [],
  };
  const desk = openDesk('/setup/texts/signUp', {
    deskSetUp: () => setUp,
    deskText: () => ({
      kind: 'signUp' as const,
      languages,
      placeholders: [{ name: 'clinicName', isNeeded: false }],
      versions,
    }),
    ...publish,
  });
  return { ...desk, others: () => (versions = [theirs, product] as typeof versions) };
}
const words = (language: string) =>
  screen.findByLabelText<HTMLTextAreaElement>(new RegExp(`^Text in ${language}`));
const press = (desk: ReturnType<typeof openEditor>, name: string) =>
  desk.user.click(screen.getByRole('button', { name }));

// Shows: R-104
test('a text is written over the one that holds, looked at, and published once it was asked again', async () => {
  const shown = (locale: string, isTranslated: boolean) => ({
    locale,
    title: 'Consent',
    paragraphs: ['One.', 'Two.', 'At Test Clinic.'],
    isTranslated,
  });
  const desk = openEditor({
    deskPublishText: ({ body }) => {
      const { isPreview } = body as { isPreview: boolean };
      const version = isPreview ? '1.0' : '2';
      return { isPublished: !isPreview, version, shown: [shown('en', true), shown('fr', false)] };
    },
  });
  const text = await words('English');
  expect(text.value).toBe('One.\n\nTwo.');
  await desk.user.type(text, '\n\nAt {{clinicName}.');
  // The screen is locked, and opened: what was typed is there.
  await desk.lock();
  await desk.unlock();
  expect((await words('English')).value).toBe('One.\n\nTwo.\n\nAt {clinicName}.');
  await press(desk, 'Preview');
  const preview = await screen.findByRole('region', { name: 'What patients will read' });
  expect(
    within(preview)
      .getAllByText('At Test Clinic.')
      .map((each) => each.closest('[lang]')?.getAttribute('lang')),
  ).toEqual(['en', 'en']);
  expect(within(preview).getByText(/no translation/)).toBeTruthy();
  await press(desk, 'Publish');
  const dialog = screen.getByRole('dialog', { name: 'Publish this version?' });
  await desk.user.click(within(dialog).getByRole('button', { name: 'Publish' }));
  expect((await screen.findByText(/^Version 2 is published/)).textContent).toBeTruthy();
  const sent = {
    seen: '1.0',
    texts: [{ locale: 'en', title: 'Consent', text: 'One.\n\nTwo.\n\nAt {clinicName}.' }],
  };
  expect(desk.sent('deskPublishText')).toEqual([
    { ...sent, isPreview: true },
    { ...sent, isPreview: false },
  ]);
});

// Shows: R-104
test('whoever is second reads what was published meanwhile, keeps what they typed, and publishes over it', async () => {
  const desk = openEditor({
    deskPublishText: ({ body }) => {
      if ((body as { seen: string }).seen === '2')
        return { isPublished: true, version: '3', shown: [] };
      desk.others();
      return refused('changedMeanwhile', 'Somebody changed this.');
    },
  });
  await desk.user.type(await words('English'), ' And more.');
  await press(desk, 'Preview');
  expect(await screen.findByText('Somebody changed this.')).toBeTruthy();
  expect(screen.getAllByText('What Robin wrote.')[0]).toBeTruthy();
  expect((await words('English')).value).toBe('One.\n\nTwo. And more.');
  await press(desk, 'Preview');
  await screen.findByText(/^Version 3 is published/);
});

test('what the service refuses stands at its field, in its language', async () => {
  const desk = openEditor({
    deskPublishText: () =>
      refused('invalidInput', 'Please check.', [
        { field: 'texts.1.text', message: 'Please write both.' },
      ]),
  });
  await desk.user.type(await screen.findByLabelText('Title in Français'), 'Accord');
  await press(desk, 'Preview');
  await screen.findByRole('alert');
  const field = await words('Français');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect((await words('English')).getAttribute('aria-invalid')).not.toBe('true');
});
