import sharp from 'sharp';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Decided } from '../testing/hostile-files/decide-all.ts';
import { type HostileFile, SCRIPT, hostileFiles } from '../testing/hostile-files/index.ts';

const MIB = 1024 * 1024;
const GROWTH = 150 * MIB;
const decideAll = new URL('../testing/hostile-files/decide-all.ts', import.meta.url).pathname;

const kept = hostileFiles.filter(({ outcome }) => 'keptAs' in outcome);
const fileOf = (file: HostileFile) => `file-${hostileFiles.indexOf(file)}`;

let folder: string;
let decided: Decided;
/** In a process of its own, whose memory is that of the service's part alone. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hostile-files-'));
  for (const file of hostileFiles) await writeFile(join(folder, fileOf(file)), await file.make());
  const ordinary = kept.filter(({ what }) => /nothing wrong|upside down/.test(what)).map(fileOf);
  await promisify(execFile)(process.execPath, [decideAll, folder, ...ordinary]);
  decided = JSON.parse(await readFile(join(folder, 'decided.json'), 'utf8')) as Decided;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const saidOf = (file: HostileFile) =>
  decided.files.find((each) => each.file === fileOf(file))?.said;
const bytesOf = (file: HostileFile) => readFile(join(folder, `${fileOf(file)}.kept`));

describe('A hostile file (S-4, R-80)', () => {
  // Shows: S-4
  test('is one of at least sixty that are refused and twenty that are neutralised', () => {
    expect(new Set(hostileFiles.map(({ what }) => what)).size).toBe(hostileFiles.length);
    expect(hostileFiles.length - kept.length).toBeGreaterThan(60);
    expect(kept.length).toBeGreaterThan(20);
  });

  // Shows: 5.files.2, R-80, S-4
  test.each(hostileFiles)('that is $what is refused, or kept as what it is', (file) => {
    const { outcome } = file;
    expect(saidOf(file)).toBe('refused' in outcome ? outcome.refused : outcome.keptAs);
  });

  // Shows: S-4
  test.each(kept)('that is $what is kept without what could harm', async (file) => {
    const bytes = await bytesOf(file);
    const content = bytes.toString('latin1');
    for (const trace of [SCRIPT, '<script', 'PK\x03\x04', 'Telltale', 'Riley'])
      expect(content.includes(trace), `a trace of ${trace}`).toBe(false);
    const { keptAs, size } = 'keptAs' in file.outcome ? file.outcome : { keptAs: '' };
    if (!keptAs.startsWith('image/')) return;
    const drawn = await sharp(bytes).metadata();
    const { exif, xmp, icc, iptc, orientation, pages, comments } = drawn;
    expect(`${drawn.width}x${drawn.height}`).toBe(size);
    expect({ exif, xmp, icc, iptc, orientation, pages, comments }).toEqual({});
  });

  // Shows: S-4
  test('held upright is turned, not only told to be', async () => {
    const [upright] = kept.filter(({ what }) => what === 'a JPEG held upright');
    const bytes = upright && (await bytesOf(upright));
    const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
    const colourAt = (x: number) => [...data.subarray(x * info.channels, (x + 1) * info.channels)];
    // What was below is on the left now.
    expect(colourAt(2)[2]).toBeGreaterThan(150);
    expect(colourAt(info.width - 3)[0]).toBeGreaterThan(150);
  });

  // Shows: S-4
  test('takes memory, all of them in turn, of less than 150 MiB', () => {
    expect(decided.peak).toBeLessThan(GROWTH);
    expect(decided.growth).toBeLessThan(GROWTH);
  });
});
