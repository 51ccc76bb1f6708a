import type { AcceptedFiles } from '@clinic/domain';
import { describe, expect, test } from 'vitest';
import { takeFiles } from './take-files.ts';

const bytes = (...parts: (string | number[])[]) =>
  parts.map((part) => (typeof part === 'string' ? part : Uint8Array.from(part)));
const jpeg = (name = 'card.jpg') => new File(bytes([0xff, 0xd8, 0xff, 0xe0], name), name);
const png = new File(bytes([0x89], 'PNG\r\n', [0x1a], '\n'), 'card.png');
const webp = new File(['RIFF\0\0\0\0WEBPVP8 '], 'card.webp');
const pdf = new File(['%PDF-1.7'], 'card.pdf');
const json = new File(['{}'], 'record.json');
const csv = new File(['a,b'], 'record.txt');
const branded = (brand: string) => new File(['\0\0\0\x18ftyp', brand], 'photo.jpg');

const codes = async (file: File, accept: AcceptedFiles = 'images') =>
  (await takeFiles([], [file], accept)).refusals.map(({ code }) => code);

// Shows: 5.files.2
test('each accept list takes its kinds, by their bytes', async () => {
  const taken = async (accept: AcceptedFiles) =>
    Promise.all(
      [jpeg(), png, webp, pdf, json, csv].map(
        async (file) => (await takeFiles([], [file], accept)).files.length,
      ),
    );
  expect(await taken('images')).toEqual([1, 1, 1, 0, 0, 0]);
  expect(await taken('imagesAndPdf')).toEqual([1, 1, 1, 1, 0, 0]);
  expect(await taken('documents')).toEqual([1, 1, 1, 1, 1, 1]);
});

describe('a HEIC image is known by its brand, whatever its name says', () => {
  test.each(['heic', 'heix', 'hevc', 'mif1', 'msf1', 'avif'])('%s', async (brand) => {
    expect(await codes(branded(brand), 'documents')).toEqual(['heic']);
  });
  test('a film is not one', async () => {
    expect(await codes(branded('isom'))).toEqual(['wrongKind']);
  });
});

test('a page named as a picture, a drawing and an archive are refused', async () => {
  const html = new File(['<html><script>'], 'card.png', { type: 'image/png' });
  const spaced = new File(['\ufeff \n<!doctype html>'], 'page.csv');
  const svg = new File(['<svg xmlns='], 'card.svg', { type: 'image/svg+xml' });
  const zip = new File(['PK\x03\x04'], 'cards.zip');
  for (const file of [html, spaced, svg, zip])
    expect(await codes(file, 'documents')).toEqual(['wrongKind']);
});

// Shows: R-80
test('10 MB pass and one byte more does not, and nothing is too little', async () => {
  const limit = 10 * 1024 * 1024;
  const sized = (size: number) =>
    new File(bytes([0xff, 0xd8, 0xff]).concat(new Uint8Array(size - 3)), 'big.jpg');
  expect(await codes(sized(limit))).toEqual([]);
  expect(await codes(sized(limit + 1))).toEqual(['tooLarge']);
  expect(await codes(new File([], 'none.jpg'))).toEqual(['empty']);
});

// Shows: 5.files.1, 9.lengths.1, R-80
test('three files stay and the fourth does not; the same file counts once', async () => {
  const [one, two, three, four] = ['1.jpg', '2.jpg', '3.jpg', '4.jpg'].map(jpeg);
  if (!one || !two || !three || !four) throw new Error('Four files');
  const first = await takeFiles([], [one, two, one], 'images');
  expect(first.files).toEqual([one, two]);
  expect(first.refusals).toEqual([{ code: 'twice', name: '1.jpg' }]);
  const more = await takeFiles(first.files, [three, four], 'images');
  expect(more.files).toEqual([one, two, three]);
  expect(more.refusals).toEqual([{ code: 'tooMany' }]);
});

test('a file that has gone since is said to be unreadable', async () => {
  const gone = jpeg('gone.jpg');
  gone.slice = () => {
    throw new DOMException('gone', 'NotFoundError');
  };
  expect(await codes(gone)).toEqual(['unreadable']);
});

test('a file’s name is told without what would steer the page, and refuses nothing (S-17)', async () => {
  const named = 'card\u202Egnp\u001B[2J.exe';
  expect((await takeFiles([], [jpeg(named)], 'images')).files).toHaveLength(1);
  const { refusals } = await takeFiles([], [new File([], named)], 'images');
  expect(refusals).toEqual([{ code: 'empty', name: 'cardgnp[2J.exe' }]);
  const toldOf = (await takeFiles([], [new File([], 'כרטיס.png')], 'images')).refusals;
  expect(toldOf).toEqual([{ code: 'empty', name: '\u2068כרטיס\u2069.png' }]);
});
