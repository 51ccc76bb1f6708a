import { readFileSync } from 'node:fs';

/**
 * Files as spreadsheets and editors write the download anew, made by their published rules. Excel: a cell
 * without a format is a number, date or time when it reads as one, a file has what is shown, in the region's
 * formats and with its list separator; fifteen digits are kept, eleven shown ("Import or export text files",
 * "Keeping leading zeros and large numbers", "Excel specifications and limits"). Sheets: UTF-8 without a byte
 * order mark, CRLF, what is shown. Numbers: UTF-8, what is shown. The folder libreoffice was written by
 * LibreOffice 7.4 itself.
 */
export interface MadeFile {
  /** The program, and what it did. */
  readonly what: string;
  readonly bytes: Uint8Array;
  /** 'same': it is read as what the clinic has. Else what is refused: cells with what is said of them. */
  readonly read: 'same' | readonly string[];
}

const folder = 'apps/service/testing/spreadsheets';
const DOWNLOAD = readFileSync(`${folder}/download.csv`, 'utf8').replace('\uFEFF', '');
const BOM = '\uFEFF';

type Change = (text: string) => string;
const crlf: Change = (text) => text.replaceAll('\n', '\r\n');
const put =
  (from: string | RegExp, to: string): Change =>
  (text) => {
    const put = text.replaceAll(from, to);
    if (put === text) throw new Error(`${String(from)} is not in it`);
    return put;
  };
/** Cells of the line that an id begins. */
const inRow = (id: string, from: string, to: string): Change =>
  put(new RegExp(`(?<=^'?${id.replaceAll('.', '\\.')},.*)${from}`, 'gm'), to);
const shortTimes = put(/(?<=,)0(\d:\d\d)(?=,)/g, '$1');
const endOfDay = put(',24:00,', ',24:00:00,');
const shortAmounts: Change = (text) =>
  text.replace(/(?<=,)\d+\.\d\d(?=,)/g, (amount) => String(Number(amount)));
/** Separates by semicolons, for a region with decimal commas. */
const french: Change = (text) => {
  const cells = text.split('\n').map((line) => line.match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? []);
  return cells
    .map((line) => line.map((cell) => cell.replace(/,$/, '')).slice(0, 13))
    .map((line) => line.map((cell, place) => (place === 8 ? cell.replace('.', ',') : cell)))
    .map((line) =>
      line.map((cell) => (/;/.test(cell) && !cell.startsWith('"') ? `"${cell}"` : cell)),
    )
    .map((line) => line.join(';'))
    .join('\n');
};
/** Excel with a semicolon as list separator: every line stands in the first cell. */
const inOneColumn: Change = (text) =>
  text
    .split('\n')
    .map((line) =>
      line
        .split(';')
        .map((cell) => (/"/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join(';'),
    )
    .join('\n');

const made = (...changes: Change[]) => changes.reduce((text, change) => change(text), DOWNLOAD);
const utf8 = (...changes: Change[]) => Buffer.from(made(...changes));
const inBytes = (charset: string, ...changes: Change[]) => {
  const decoder = new TextDecoder(charset);
  const all = Array.from({ length: 256 }, (_, byte) => byte);
  const byteOf = new Map(all.map((byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Uint8Array.from(Array.from(made(...changes), (letter) => byteOf.get(letter) ?? 0x3f));
};
const misread = (charset: string) => new TextDecoder(charset).decode(utf8());

const same = (what: string, bytes: Uint8Array): MadeFile => ({ what, bytes, read: 'same' });
const refused = (what: string, bytes: Uint8Array, ...read: string[]): MadeFile => ({
  what,
  bytes,
  read,
});

const WRITE_ID = 'write 007, in a column that is formatted as text, or behind an apostrophe';

export const madeFiles: readonly MadeFile[] = [
  same(
    'Excel, English Canada, CSV UTF-8: 8:00, 24:00:00, 72.5, 10',
    utf8((text) => BOM + text, shortTimes, endOfDay, shortAmounts, crlf),
  ),
  same(
    'Excel, English Canada: 8:00:00 AM',
    utf8(
      put(/(?<=,)(0\d:\d\d)(?=,)/g, '$1:00 AM'),
      put('00:00:00 AM', '12:00:00 AM'),
      put('00:30:00 AM', '12:30:00 AM'),
      put(/(?<=,)12:30(?=,)/g, '12:30:00 PM'),
      put('13:05', '1:05:00 PM'),
      put('19:55', '7:55:00 PM'),
      shortAmounts,
    ),
  ),
  same(
    'Windows, English Canada: 8:00 a.m., 2026/12/4',
    utf8(
      put(/(?<=,)0([1-9]:\d\d)(?=,)/g, '$1 a.m.'),
      put('13:05', '1:05 p.m.'),
      put('2026-12-04', '2026/12/4'),
      put('2026-01-01', '2026/1/1'),
      put('2027-01-31', '1/31/2027'),
    ),
  ),
  same(
    'Excel, English US, of dates that have one reading: 1/1/2026, 31/1/2027',
    utf8(
      put('2026-01-01', '1/1/2026'),
      put('2027-01-31', '31/1/2027'),
      put('2026-12-04', '2026-12-4'),
    ),
  ),
  refused(
    'Excel, English US: 12/4/2026',
    utf8(inRow('201', '2026-12-04', '12/4/2026'), crlf),
    "line 3, column validFrom: '12/4/2026' may be 2026-12-04 or 2026-04-12; write the one you mean",
  ),
  refused(
    'Excel, English UK, with two digits for the year',
    utf8(inRow('201', '2026-12-04', '04/12/26')),
    "line 3, column validFrom: '04/12/26' has no year of four digits; write a date such as 2026-12-01",
  ),
  same('Excel, French Canada, which keeps the rows in one column', utf8(inOneColumn, crlf)),
  same(
    'Excel, French Canada, semicolons: 72,50',
    utf8((text) => BOM + text, french, crlf),
  ),
  same(
    'Excel, French Canada: 72,50 $, 1 234,50 $ with no-break spaces',
    utf8(
      french,
      put(/;(\d),50;/g, ';$1,50 $;'),
      put('72,50', '72,50\u00a0$'),
      put('1234,50', '1\u202f234,50\u00a0$'),
    ),
  ),
  same('Windows, French Canada: 08 h 00', utf8(put(/(?<=,)(\d\d):(\d\d)(?=,)/g, '$1 h $2'))),
  same(
    'Excel, Unicode text: UTF-16 and tabs',
    Buffer.from(
      made(
        (text) => BOM + text,
        french,
        put(';', '\t'),
        put('Drugs\t', 'Drugs;'),
        put(/,(?=\d0\t)/g, '.'),
        crlf,
      ),
      'utf16le',
    ),
  ),
  same(
    'an editor, UTF-16 with the large end first',
    Buffer.from(
      made((text) => BOM + text),
      'utf16le',
    ).swap16(),
  ),
  refused(
    'Excel, CSV (comma delimited): Windows-1252',
    inBytes('windows-1252', crlf),
    "line 2, column name: the text is not UTF-8 (is it 'Amélia Côté'?); save the file as UTF-8: in Excel as 'CSV UTF-8'",
  ),
  refused(
    'Excel, CSV (Macintosh): carriage returns',
    inBytes('macintosh', put('\n', '\r')),
    'line 2, column name: the text is not UTF-8',
  ),
  refused(
    'a program without these letters, ?',
    utf8(put('Łukasz', '?ukasz'), put('ʔəy̓', '??y?')),
    "line 3, column name: '?ukasz “Luke” O’Brien' may be 'Łukasz “Luke” O’Brien', of which letters were lost; write it",
    "line 4, column name: '??y? Sparrow' may be 'ʔəy̓ Sparrow', of which letters were lost; write it",
  ),
  refused(
    'Excel, Windows, of a file without a byte order mark',
    Buffer.from(misread('windows-1252')),
    "line 2, column name: 'AmÃ©lia CÃ´tÃ©' was read in another character set than UTF-8; write 'Amélia Côté', or open the file as UTF-8",
  ),
  refused(
    'Excel, Mac, of a file without a byte order mark',
    Buffer.from(misread('macintosh')),
    "line 2, column name: 'Am√©lia C√¥t√©' was read in another character set than UTF-8; write 'Amélia Côté'",
  ),
  refused(
    'a program that has lost a letter',
    utf8(put('Amélia', 'Am\uFFFDlia')),
    "line 2, column name: 'Am\uFFFDlia Côté' has lost a letter",
  ),
  same(
    'Excel: a last row of commas, empty rows, and columns without a name',
    utf8(
      put('comment\n', 'comment,,\n'),
      put(/(?<=[^t])\n(?!$)/g, ',,\n'),
      put(/^201/gm, ',,,,,,,,,,,,,,\n\n201'),
      (text) => `${text},,,,,,,,,,,,\n,,,,,,,,,,,,\n`,
    ),
  ),
  same('Excel, which leaves out the last separators of a row', utf8(put(/,\n/g, '\n'), crlf)),
  refused(
    'half a file',
    Buffer.from(made().slice(0, made().indexOf('\n1234567890') >= 0 ? made().indexOf(',@') : -30)),
    'line 9, column',
  ),
  same(
    'sep=, for Excel',
    utf8((text) => `sep=,\n${text}`, crlf),
  ),
  same(
    'sep=; for Excel, kept as a row by another program',
    utf8(french, (text) => `"sep=;";;;;\n${text}`),
  ),
  refused(
    'Excel: zeros before a number are lost',
    utf8(put("'007", '7'), put("'0441234567", '441234567')),
    `line 2, column id: '7' may be 007, whose zeros a spreadsheet has changed; ${WRITE_ID}`,
    "line 5, column phone: '441234567' may be 0441234567, whose zeros a spreadsheet has changed",
  ),
  refused(
    'LibreOffice, of a file without marks: 100000 for 1E5, 1.1 for 1.10, and a column with two decimals',
    utf8(put("'1E5", '100000'), put("'1.10", '1.1'), put(/^201,/gm, '201.00,')),
    "line 3, column id: '201.00' may be 201, whose zeros a spreadsheet has changed",
    "line 4, column id: '100000' may be 1E5, whose zeros a spreadsheet has changed",
    "line 5, column id: '1.1' may be 1.10, whose zeros a spreadsheet has changed",
  ),
  same(
    'numbers as texts: \'007, ="0441234567", ’201',
    utf8(put("'0441234567", '="0441234567"'), put(/^201/gm, '’201'), put("'1.10", '"=""1.10"""')),
  ),
  refused(
    'Excel: scientific notation',
    utf8(put("'1234567890123456", '1.23457E+15'), inRow('p.1_b-2', '6045550100', '9.87654E+09')),
    "line 7, column id: '1.23457E+15' is a rounded number; write all of its digits",
    "line 9, column phone: '9.87654E+09' is a rounded number; write all of its digits",
  ),
  refused(
    'Excel, which keeps fifteen digits',
    utf8(put("'1234567890123456", '1234567890123450')),
    "line 7, column id: '1234567890123450' may have lost its last digits; write them",
  ),
  refused(
    'Excel: a code that it took for a date',
    utf8(put("'12-4", '4-Dec'), put("'MAR1", '1-Mar')),
    "line 4, column type: must be a capital letter and up to 3 letters or digits, other than A, not '1-Mar'",
    "line 6, column id: '4-Dec' may be a code that was taken for a date; write the code",
  ),
  refused(
    'Excel: a name that it ran',
    utf8(put("'=Mei", '#NAME?')),
    "line 7, column name: '#NAME?' is the error of a formula; write the text",
  ),
  refused(
    'Excel: a column that is too narrow',
    utf8(inRow('0', '2027-01-31', '########')),
    'line 8, column validFrom: the column was too narrow',
  ),
  refused(
    'Excel: dates and times as numbers',
    utf8(inRow('201', '2026-12-04', '46360'), inRow('201', '08:00', '0.333333333')),
    "line 3, column from: '0.333333333' is a part of a day; format the column as hh:mm",
    "line 3, column validFrom: '46360' is a day's number; format the column as yyyy-mm-dd",
  ),
  refused(
    'an amount with one separator: 1,234',
    utf8(put('1234.50', '"1,234"')),
    "line 4, column charge: '1,234' may be 1234 dollars or a little more than 1; write the amount such as 10.00",
  ),
  same(
    'amounts with both separators: 1,234.50 and $72.50',
    utf8(put('1234.50', '"1,234.50"'), put('72.50', '$72.50')),
  ),
  same(
    'truth, of Sheets and of Excel in three languages',
    utf8(
      inRow('201', 'yes', 'VRAI'),
      inRow('007', ',no,', ',FALSE,'),
      inRow('12-4', ',no,', ',FALSCH,'),
      inRow('0', ',no,', ',FAUX,'),
    ),
  ),
  same(
    'Sheets: no byte order mark, CRLF, seconds',
    utf8(put(/(?<=,)0?(\d{1,2}:\d\d)(?=,)/g, '$1:00'), shortAmounts, crlf),
  ),
  same(
    'Numbers: Dec 4, 2026 and 8:00 AM',
    utf8(
      put('2026-12-04', '"Dec 4, 2026"'),
      put('2026-01-01', '"Jan 1, 2026"'),
      put('2027-01-31', '"January 31, 2027 at 0:00"'.replace(' at ', ', ')),
      put(/(?<=,)0([89]:\d\d)(?=,)/g, '$1 AM'),
    ),
  ),
  same(
    'Numbers, in French: 4 déc. 2026, 1er janv. 2026',
    utf8(
      french,
      put('2026-12-04', '4 déc. 2026'),
      put('2026-01-01', '1er janv. 2026'),
      put('2027-01-31', 'dimanche 31 janvier 2027'),
    ),
  ),
  same(
    'an editor that curls quotation marks',
    utf8(
      put('"Quay, Drugs; Fort"', '“Quay, Drugs; Fort”'),
      put('"Says ""no"", plainly"', '“Says ""no"", plainly”'),
    ),
  ),
  same(
    'spaces and no-break spaces around cells, and a header with capitals',
    utf8(
      put(/(?<=,)O(?=,)/g, ' O\u00a0'),
      put('2026-12-04', '2026-12-04\u00a0 '),
      put('id,name,type', '"ID", "Name" ,Type'),
      put('validFrom', 'Valid from'),
    ),
  ),
  same(
    'a byte order mark that was read as letters, and a second one',
    utf8((text) => `${BOM}ï»¿${text}`),
  ),
  refused(
    'a workbook',
    Buffer.from([0x50, 0x4b, 3, 4, 20, 0]),
    'line 1, column 1: the file is a workbook, not CSV; save the file as UTF-8',
  ),
  refused(
    'a cell of two lines',
    utf8(put("'May 5", '"May\n5"')),
    'line 9, column comment: stands on several lines; write it on one',
  ),
];
