import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { offsetAt } from './clinic-time.ts';
import { firstDisagreement, judgeZoneData } from './clinic-zone-check.ts';
import { ZONE_DATA_VERSION } from './clinic-zone.generated.ts';

const generator = fileURLToPath(new URL('../../../tools/gen-clinic-zone.mjs', import.meta.url));
const committed = fileURLToPath(new URL('./clinic-zone.generated.ts', import.meta.url));
const utc = (text: string) => Date.parse(text) / 1000;
const [from, to] = [utc('2025-01-01T00:00Z'), utc('2030-01-01T00:00Z')];

/** The offset by the runtime's own Intl, in minutes east of UTC. */
function intlOffset(): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: 'America/Vancouver',
    timeZoneName: 'longOffset',
  });
  return (at) => {
    const name = format.formatToParts(at * 1000).find(({ type }) => type === 'timeZoneName');
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name?.value ?? '') ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
}

/** The offset by the system's zdump, or null on a system without it. */
function zdumpOffset(): ((at: number) => number) | null {
  const { stdout } = spawnSync('zdump', ['-v', '-c', '1970,2037', 'America/Vancouver'], {
    encoding: 'utf8',
  });
  const lines = [...(stdout ?? '').matchAll(/ (\w{3} +\d+ [\d:]+ \d{4}) UTC? = .*gmtoff=(-?\d+)/g)];
  const changes = lines.map(([, at, seconds]) => ({
    at: utc(`${at} UTC`),
    offset: Number(seconds) / 60,
  }));
  return changes.length === 0
    ? null
    : (at) => changes.findLast((change) => change.at <= at)?.offset ?? offsetAt(at);
}

function generateFrom(packed: object) {
  const folder = mkdtempSync(join(tmpdir(), 'clinic-zone-'));
  const file = join(folder, 'packed.json');
  writeFileSync(file, JSON.stringify(packed));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [generator, '--print', '--from', file],
    { encoding: 'utf8' },
  );
  rmSync(folder, { recursive: true });
  return { status, stdout, stderr };
}

const vancouver = (indices: string, untils: string) => ({
  version: '2099a',
  zones: [`America/Vancouver|PST PDT|80 70|${indices}|${untils}|23e5`],
});

describe("the clinic's zone table (R-10)", () => {
  // Shows: R-10
  test('generating it again gives the committed file byte for byte', () => {
    const printed = execFileSync(process.execPath, [generator, '--print'], { encoding: 'utf8' });
    expect(printed).toBe(readFileSync(committed, 'utf8'));
  });

  test('is from the release that the installed data carries', () => {
    const packed = createRequire(import.meta.url)('moment-timezone/data/packed/latest.json') as {
      version: string;
    };
    expect(ZONE_DATA_VERSION).toBe(packed.version);
  });

  test('no newer data of the runtime disagrees; older data is reported', ({ annotate }) => {
    const found = firstDisagreement(intlOffset(), from, to);
    const verdict = judgeZoneData(ZONE_DATA_VERSION, process.versions['tz'], found);
    void annotate(`runtime ${process.versions['tz']}: ${verdict}`);
    expect(verdict).not.toBe('newerDisagrees');
  });

  test('no newer data of the system disagrees; older data is reported', ({ annotate }) => {
    const list = '/usr/share/zoneinfo/tzdata.zi';
    const version = existsSync(list)
      ? /^# version (\S+)/.exec(readFileSync(list, 'utf8'))?.[1]
      : undefined;
    const read = zdumpOffset();
    const found = read && firstDisagreement(read, from, to);
    const verdict = judgeZoneData(ZONE_DATA_VERSION, version, found);
    void annotate(`system ${version}: ${read ? verdict : 'has no zdump to ask'}`);
    expect(verdict).not.toBe('newerDisagrees');
  });

  test('a reader with the old rules is found out from 2026-11-01T09:00Z on', () => {
    const stale = (at: number) => (at >= utc('2026-11-01T09:00Z') ? -480 : offsetAt(at));
    const [before, after] = [utc('2026-10-01T00:00Z'), utc('2027-02-01T00:00Z')];
    expect(firstDisagreement(stale, before, after)).toBe(utc('2026-11-01T09:00Z'));
    expect(firstDisagreement(offsetAt, before, after)).toBeNull();
  });

  test('only newer data that disagrees asks for a new table', () => {
    expect(judgeZoneData('2026f', '2026g', 0)).toBe('newerDisagrees');
    expect(judgeZoneData('2026f', '2027a', 0)).toBe('newerDisagrees');
    expect(judgeZoneData('2026f', '2026f', 0)).toBe('olderDisagrees');
    expect(judgeZoneData('2026f', '2025b', 0)).toBe('olderDisagrees');
    expect(judgeZoneData('2026f', undefined, 0)).toBe('olderDisagrees');
    expect(judgeZoneData('2026f', '2027a', null)).toBe('agrees');
  });

  test('the generator keeps changes of the offset and drops mere renamings', () => {
    // From 1970: PST, after 20 minutes PDT, after 20 more PDT again under another name.
    const { status, stdout } = generateFrom(vancouver('0111', 'k k k'));
    expect(status).toBe(0);
    expect(stdout).toContain("OFFSET_INDEX =\n  '01'");
    expect(stdout).toContain('STEP_SECONDS = 1200;');
    expect(stdout).toContain("CHANGE_STEPS =\n  '1'");
  });

  test('the generator refuses to write when recurring rules reappear', () => {
    // 2034 lies about 33.6 million minutes after 1970, 2zPz0 in base 60.
    const { status, stdout, stderr } = generateFrom(vancouver('01', '2zPz0'));
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain('recurring clock changes');
  });
});
