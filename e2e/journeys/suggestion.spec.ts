import { expectAccessible } from '../src/accessible.ts';
import { expect, test } from '../src/journey.ts';
import { Messages } from '../src/pages/messages.ts';

const EMPTY =
  'Please enter text in the text box below to explain the suggestion you have for us. Then click the Submit button. Thanks.';

// Shows: 1.can.7, 2.shell.8, 2.suggestion.1, 6.patient.1, R-81
test('a patient suggests an improvement; the picture hides their details and the icon (§2, R-81)', async ({
  page,
  as,
  clinic,
}, testInfo) => {
  await as('casey@practice.example');
  await page.goto('/account?view=messages');
  await Messages.arrive(page);
  const icon = page.getByRole('button', { name: 'Suggest an improvement' });
  await icon.click();
  const box = page.getByRole('dialog', { name: 'Suggest an improvement' });
  const text = box.getByLabel('Your suggestion');
  await expect(text).toBeFocused();
  await expectAccessible(page);
  await expect(text).toHaveAttribute('placeholder', /we do not reply/);
  const picture = box.getByRole('img');
  await expect(picture).toHaveJSProperty('naturalWidth', 1280);
  await testInfo.attach('suggestion.jpg', {
    body: Buffer.from(((await picture.getAttribute('src')) ?? '').split(',')[1] ?? '', 'base64'),
    contentType: 'image/jpeg',
  });

  await box.getByRole('button', { name: 'Submit' }).click();
  const asked = page.getByRole('alertdialog');
  await expect(asked).toContainText(EMPTY);
  await asked.getByRole('button', { name: 'OK' }).click();
  await expect(text).toBeFocused();

  await text.fill('Larger letters, please');
  await box.getByRole('button', { name: 'Submit' }).click();
  await expect(box).toBeHidden();
  await expect(page.getByText('Thank you for your suggestion.')).toBeVisible();
  await expect(icon).toBeFocused();
  expect(await clinic.command('suggestions', 'list')).toContain('Larger letters, please');
});
