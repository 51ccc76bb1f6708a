import { readFileSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { download, imported } from '../../testing/spreadsheets/a-table.ts';
import { madeFiles } from '../../testing/spreadsheets/made-files.ts';

const folder = 'apps/service/testing/spreadsheets';

const outcomeOf = async (bytes: Uint8Array) => {
  const { problems, changes } = await imported(bytes);
  return {
    said: problems.map(({ line, column, why }) => `line ${line}, column ${column}: ${why}`),
    changes,
  };
};
const SAME = { said: [], changes: [] };

test('a table is downloaded with what makes spreadsheets leave it alone, and comes back as it was', async () => {
  const bytes = await download();
  expect(Buffer.from(bytes).toString()).toBe(readFileSync(`${folder}/download.csv`, 'utf8'));
  expect(await outcomeOf(bytes)).toEqual(SAME);
});

/** What no reading fits, or two do: the sentence of the first cell. */
const REFUSED: Readonly<Record<string, string>> = {
  'en-CA-day-first.csv':
    "line 2, column validFrom: '04/12/2026' may be 2026-04-12 or 2026-12-04; write",
  'en-US-month-first.csv':
    "line 2, column validFrom: '12/4/2026' may be 2026-12-04 or 2026-04-12; write",
  'en-CA-two-digit-years.csv':
    "line 2, column validFrom: '4-Dec-26' has no year of four digits; write",
  'en-CA-long-formats.csv': 'line 3, column to: must come after 08:00',
  'fr-CA-long-formats.csv': 'line 3, column to: must come after 08:00',
  'fr-CA-windows-1252.csv': "line 2, column name: the text is not UTF-8 (is it 'Amélia Côté'?)",
};

test.each(readdirSync(`${folder}/libreoffice`))('what LibreOffice wrote: %s', async (name) => {
  const { said, changes } = await outcomeOf(readFileSync(`${folder}/libreoffice/${name}`));
  const refused = REFUSED[name];
  if (refused === undefined) expect({ said, changes }).toEqual(SAME);
  else expect(said[0]).toContain(refused);
});

test.each(madeFiles)('$what', async ({ bytes, read }) => {
  const { said, changes } = await outcomeOf(bytes);
  if (read === 'same') expect({ said, changes }).toEqual(SAME);
  else {
    for (const [place, sentence] of read.entries()) expect(said[place]).toContain(sentence);
    expect(changes).toEqual([]);
  }
});
