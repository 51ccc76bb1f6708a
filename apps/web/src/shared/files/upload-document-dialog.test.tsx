import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { speak } from '../../messages/t.ts';
import { refusal } from '../../testing/fake-service.ts';
import { fakeUploads } from '../../testing/fake-uploads.ts';
import { renderPage } from '../../testing/render.tsx';
import { UploadDocumentDialog, type DocumentKind } from './upload-document-dialog.tsx';

const head = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]);
const photo = (name: string) => new File([head, name], name, { type: 'image/jpeg' });
const heic = new File(['\0\0\0\x18ftypheic'], 'photo.jpg', { type: 'image/jpeg' });

const shown = new Set<string>();
beforeEach(() => {
  shown.clear();
  URL.createObjectURL = (file) => {
    const address = `blob:${file instanceof File ? file.name : ''}`;
    shown.add(address);
    return address;
  };
  URL.revokeObjectURL = (address) => void shown.delete(address);
});
afterEach(() => speak('en'));

function atDocument(kind: DocumentKind) {
  const uploads = fakeUploads();
  const ended: string[] = [];
  const { unmount } = renderPage(
    <UploadDocumentDialog
      kind={kind}
      onUploaded={() => ended.push('uploaded')}
      onCancel={() => ended.push('cancelled')}
    />,
  );
  const person = userEvent.setup({ applyAccept: false });
  const choose = (...files: File[]) => person.upload(screen.getByLabelText('Choose files'), files);
  const press = (name: string) => person.click(screen.getByRole('button', { name }));
  return { uploads, ended, unmount, choose, press };
}

// Shows: 5.files.3
test('Upload without a file asks for one, at the control that takes it', async () => {
  const { uploads, press } = atDocument('healthCard');
  expect(screen.getByRole('heading', { name: 'Step 1: Upload your health card' })).toBeTruthy();
  await press('Upload');
  expect(screen.getByText('Pleae choose your file to upload')).toBeTruthy();
  expect(screen.getByLabelText('Choose files').getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(screen.getByLabelText('Choose files'));
  expect(uploads).toHaveLength(0);
});

// Shows: 7.message.2
test('the health card is sent as one, with its progress, and then the step is over', async () => {
  const { uploads, ended, choose, press } = atDocument('healthCard');
  await choose(photo('front.jpg'), photo('back.jpg'));
  expect(await screen.findByText('2 files chosen')).toBeTruthy();
  await press('Upload');
  const [upload] = uploads;
  expect(upload?.form.get('isHealthCard')).toBe('true');
  expect([...(upload?.form.keys() ?? [])]).toEqual(['isHealthCard', 'file1', 'file2']);
  upload?.progress(0.45);
  expect(screen.getByRole('progressbar', { name: 'Uploading… 45%' })).toHaveProperty('value', 45);
  expect(screen.getByLabelText('Choose files')).toHaveProperty('disabled', true);
  upload?.progress(1);
  expect(screen.getByRole('progressbar', { name: 'Checking your files…' })).toBeTruthy();
  upload?.answer(200, { success: true, message: '' });
  await expect.poll(() => ended).toEqual(['uploaded']);
});

// Shows: 7.message.2
test('the picture ID is the second step and is sent as no health card', async () => {
  const { uploads, choose, press } = atDocument('pictureId');
  expect(screen.getByRole('heading', { name: 'Step 2: Upload your picture ID' })).toBeTruthy();
  await choose(photo('passport.jpg'));
  await screen.findByText('1 file chosen');
  await press('Upload');
  expect(uploads[0]?.form.get('isHealthCard')).toBe('false');
});

test('two presses in the same millisecond send the files once', async () => {
  const { uploads, choose } = atDocument('healthCard');
  await choose(photo('front.jpg'));
  await screen.findByText('1 file chosen');
  const button = screen.getByRole('button', { name: 'Upload' });
  act(() => {
    button.click();
    button.click();
  });
  await expect.poll(() => uploads).toHaveLength(1);
});

// Shows: 8.alerts.1, text.post-message-upload
test('an upload that was cut or refused says so, keeps the files and is sent again', async () => {
  const { uploads, ended, choose, press } = atDocument('healthCard');
  await choose(photo('front.jpg'));
  await screen.findByText('1 file chosen');
  await press('Upload');
  uploads[0]?.progress(0.5);
  uploads[0]?.cut();
  expect((await screen.findByRole('alert')).textContent).toContain('Uploading file failed.');
  expect(screen.getByText('front.jpg')).toBeTruthy();
  await press('Try again');
  uploads[1]?.answer(415, refusal('fileRefused', 'The picture is damaged.'));
  expect(await screen.findByText('The picture is damaged.')).toBeTruthy();
  await press('Try again');
  uploads[2]?.answer(200, { success: true, message: '' });
  await expect.poll(() => ended).toEqual(['uploaded']);
});

test('the picker names and asks for every kind that the service takes', () => {
  atDocument('healthCard');
  expect(screen.getByText(/JPEG, PNG, GIF, WebP or PDF. Up to 3 files, 10 MB each/)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Choose files').accept).toBe(
    'image/jpeg,image/png,image/gif,image/webp,application/pdf,.pdf',
  );
});

// Shows: R-99
test('the picker names the kinds in the manner of the language', async () => {
  await speak('fr');
  atDocument('healthCard');
  expect(screen.getByText(/JPEG, PNG, GIF, WebP ou PDF/)).toBeTruthy();
});

test('the one of several files that the service refuses is named', async () => {
  const { uploads, choose, press } = atDocument('healthCard');
  await choose(photo('1.jpg'), photo('my "card".jpg'));
  await press('Upload');
  const message = 'The picture is damaged.';
  const errors = [{ field: 'file2', message }];
  uploads[0]?.answer(415, refusal('fileNotAccepted', message, { errors }));
  expect(await screen.findByText('my "card".jpg: The picture is damaged.')).toBeTruthy();
});

// Shows: 5.files.1, 5.files.2
test('a fourth file and a HEIC image are refused in words, and what was chosen stays', async () => {
  const { choose } = atDocument('healthCard');
  await choose(heic);
  expect(
    await screen.findByText(
      `${heic.name}: Please upload another type of image such as JPEG, JPG or PNG`,
    ),
  ).toBeTruthy();
  await choose(photo('1.jpg'), photo('2.jpg'), photo('3.jpg'), photo('4.jpg'));
  expect(await screen.findByText('You can only attach maximum of 3 files')).toBeTruthy();
  expect(screen.getByText('3 files chosen')).toBeTruthy();
  expect(
    within(screen.getByRole('list', { name: 'Chosen files' })).queryByText('4.jpg'),
  ).toBeNull();
});

test('files that were chosen while another was still being read all stay, and one removed stays away', async () => {
  const { choose, press } = atDocument('healthCard');
  const slow = photo('slow.jpg');
  let arrive = () => {};
  slow.slice = () => {
    const part = new Blob([head]);
    part.arrayBuffer = () =>
      new Promise((resolve) => (arrive = () => resolve(head.slice().buffer)));
    return part;
  };
  await choose(slow);
  await choose(photo('2.jpg'), photo('3.jpg'));
  await press('Remove 2.jpg');
  await act(async () => arrive());
  const chosen = within(screen.getByRole('list', { name: 'Chosen files' }));
  expect(chosen.getAllByRole('listitem').map((each) => each.textContent)).toEqual([
    expect.stringContaining('slow.jpg'),
    expect.stringContaining('3.jpg'),
  ]);
});

test('a chosen picture is shown, can be removed, and its address ends with it', async () => {
  const { choose, press, unmount } = atDocument('healthCard');
  await choose(photo('1.jpg'), photo('2.jpg'));
  expect((await screen.findByRole('img', { name: 'Preview of 1.jpg' })).getAttribute('src')).toBe(
    'blob:1.jpg',
  );
  expect(shown).toEqual(new Set(['blob:1.jpg', 'blob:2.jpg']));
  await press('Remove 1.jpg');
  expect(shown).toEqual(new Set(['blob:2.jpg']));
  expect(document.activeElement).toBe(screen.getByLabelText('Choose files'));
  unmount();
  expect(shown.size).toBe(0);
});

test('Cancel leaves the step, and leaving it takes an upload back', async () => {
  const { uploads, ended, unmount, choose, press } = atDocument('healthCard');
  await choose(photo('front.jpg'));
  await screen.findByText('1 file chosen');
  await press('Upload');
  await press('Cancel');
  expect(ended).toEqual(['cancelled']);
  unmount();
  expect(uploads[0]?.aborted()).toBe(true);
});
