import type { AcceptedFiles } from '@clinic/domain';
import { describe, expect, test } from 'vitest';
import { askedKinds, kindNames, takeFiles, whyRefused } from './take-files.ts';

const bytes = (...parts: (string | number[])[]) =>
  parts.map((part) => (typeof part === 'string' ? part : Uint8Array.from(part)));
const jpeg = (name = 'card.jpg') => new File(bytes([0xff, 0xd8, 0xff, 0xe0], name), name);
const png = new File(bytes([0x89], 'PNG\r\n', [0x1a], '\n'), 'card.png');
const webp = new File(['RIFF\0\0\0\0WEBPVP8 '], 'card.webp');
const pdf = new File(['%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF'], 'card.pdf');
const json = new File(['{}'], 'record.json');
const csv = new File(['a,b'], 'record.txt');
const branded = (brand: string) => new File(['\0\0\0\x18ftyp', brand], 'photo.jpg');

const codeOf = async (file: File, accept: AcceptedFiles = 'images') =>
  (await whyRefused(file, accept))?.code ?? null;

// Shows: 5.files.2
test('each accept list takes its kinds, by their bytes', async () => {
  const taken = async (accept: AcceptedFiles) =>
    Promise.all(
      [jpeg(), png, webp, pdf, json, csv].map(
        async (file) => (await codeOf(file, accept)) === null,
      ),
    );
  expect(await taken('images')).toEqual([true, true, true, false, false, false]);
  expect(await taken('imagesAndPdf')).toEqual([true, true, true, true, false, false]);
  expect(await taken('documents')).toEqual([true, true, true, true, true, true]);
});

// Shows: 5.files.2, S-4
test.each([
  ['note.txt', 'Dear doctor,\n\nmy card is lost.\n', 'noTable'],
  ['bad.json', '{"glucose":[5.4,', 'jsonBroken'],
  ['rows.csv', 'day,glucose\n1,5.4\n2\n', 'noTable'],
  ['run.csv', 'day,glucose\n=1+1,5.4\n', 'tableFormula'],
  ['latin.csv', Uint8Array.of(97, 44, 0xe9, 10), 'notUtf8'],
  ['broken.pdf', '%PDF-1.7\n1 0 obj\n<<>>\n', 'pdfBroken'],
  ['broken2.pdf', '%PDF-1.7 lost\n%%EOF', 'pdfBroken'],
  ['locked.pdf', '%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer <</Encrypt 5 0 R>>\n%%EOF', 'pdfLocked'],
  ['record.json', '{"glucose":[5.4]}', null],
  ['mac.csv', 'day;glucose\r1;"5,4"\r', null],
  ['quotes.csv', 'day,said\n1,"She said ""no"", twice"\n\n', null],
])('%s is judged as a whole, as the service will', async (name, content, code) => {
  expect(await codeOf(new File([content], name), 'documents')).toBe(code);
});

test('the dialog offers what is named, and no more', () => {
  expect(kindNames('documents').join()).toBe('JPEG,PNG,GIF,WebP,PDF,JSON,CSV');
  expect(askedKinds('imagesAndPdf')).toBe(
    'image/jpeg,image/png,image/gif,image/webp,application/pdf,.pdf',
  );
});

describe('a HEIC image is known by its brand, whatever its name says', () => {
  test.each(['heic', 'heix', 'hevc', 'mif1', 'msf1', 'avif'])('%s', async (brand) => {
    expect(await codeOf(branded(brand), 'documents')).toBe('heic');
  });
  test('a film is not one', async () => {
    expect(await codeOf(branded('isom'))).toBe('wrongKind');
  });
});

test('a page named as a picture, a drawing and an archive are refused', async () => {
  const html = new File(['<html><script>'], 'card.png', { type: 'image/png' });
  const spaced = new File(['\ufeff \n<!doctype html>'], 'page.csv');
  const svg = new File(['<svg xmlns='], 'card.svg', { type: 'image/svg+xml' });
  const zip = new File(['PK\x03\x04'], 'cards.zip');
  for (const file of [html, spaced, svg, zip])
    expect(await codeOf(file, 'documents')).toBe('wrongKind');
});

// Shows: R-80
test('10 MB pass and one byte more does not, and nothing is too little', () => {
  const limit = 10 * 1024 * 1024;
  const sized = (size: number) =>
    new File(bytes([0xff, 0xd8, 0xff]).concat(new Uint8Array(size - 3)), 'big.jpg');
  const codes = (file: File) => takeFiles([], [file]).refusals.map(({ code }) => code);
  expect(codes(sized(limit))).toEqual([]);
  expect(codes(sized(limit + 1))).toEqual(['tooLarge']);
  expect(codes(new File([], 'none.jpg'))).toEqual(['empty']);
});

// Shows: 5.files.1, 9.lengths.1, R-80
test('three files stay and the fourth does not; the same file counts once', () => {
  const [one, two, three, four] = ['1.jpg', '2.jpg', '3.jpg', '4.jpg'].map(jpeg);
  if (!one || !two || !three || !four) throw new Error('Four files');
  const first = takeFiles([], [one, two, one]);
  expect(first.files).toEqual([one, two]);
  expect(first.refusals).toEqual([{ code: 'twice', name: '1.jpg' }]);
  const more = takeFiles(first.files, [three, four]);
  expect(more.files).toEqual([one, two, three]);
  expect(more.refusals).toEqual([{ code: 'tooMany' }]);
});

test('a file that has gone since is said to be unreadable', async () => {
  const gone = jpeg('gone.jpg');
  gone.slice = () => {
    throw new DOMException('gone', 'NotFoundError');
  };
  expect(await codeOf(gone)).toBe('unreadable');
});

test('a file’s name is told without what would steer the page, and refuses nothing (S-17)', () => {
  const named = 'card\u202Egnp\u001B[2J.exe';
  expect(takeFiles([], [jpeg(named)]).files).toHaveLength(1);
  const { refusals } = takeFiles([], [new File([], named)]);
  expect(refusals).toEqual([{ code: 'empty', name: 'cardgnp[2J.exe' }]);
  const toldOf = takeFiles([], [new File([], 'כרטיס.png')]).refusals;
  expect(toldOf).toEqual([{ code: 'empty', name: '\u2068כרטיס\u2069.png' }]);
});
