import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

import { chromium } from '@playwright/test';

/** As Playwright's `launchOptions` take it. */
export interface Browser {
  readonly executablePath: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

// The headless shell first: it runs the journeys nearly three times as fast.
const installedNames = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const macBrowser = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const repository = resolve(import.meta.dirname, '../..');

const nothingFound = `The journeys need Chromium and found none. Install it (Debian and Ubuntu: apt-get install chromium-headless-shell; elsewhere: npx playwright install chromium-headless-shell), or set CHROME_PATH to the browser's program.`;

/**
 * The Chromium of CHROME_PATH, else one that is installed, else the packed one of npm, else
 * Playwright's own. Fails with a sentence when there is none.
 */
export function findBrowser(): Browser {
  const named = process.env.CHROME_PATH;
  if (named !== undefined && named !== '') {
    if (existsSync(named)) return withSystemLibraries(named);
    throw new Error(`CHROME_PATH names ${named}, which is not there.`);
  }
  const installed = installedBrowser();
  if (installed !== undefined) return withSystemLibraries(installed);
  const packed = packedBrowser();
  if (packed !== undefined) return packed;
  if (existsSync(chromium.executablePath())) return withSystemLibraries(chromium.executablePath());
  throw new Error(nothingFound);
}

// Chromium refuses to sandbox for root; /dev/shm is too small in many containers.
const args = process.getuid?.() === 0 ? ['--no-sandbox', '--disable-dev-shm-usage'] : [];

const withSystemLibraries = (executablePath: string): Browser => ({
  executablePath,
  args,
  env: ownEnvironment(),
});

const ownEnvironment = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );

function installedBrowser(): string | undefined {
  if (process.platform === 'darwin' && existsSync(macBrowser)) return macBrowser;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return installedNames
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** Of @sparticuz/chromium, for Linux on x64: unpacked once, with libraries and fonts of its own. */
function packedBrowser(): Browser | undefined {
  const packed = join(repository, 'node_modules/@sparticuz/chromium');
  if (process.platform !== 'linux' || process.arch !== 'x64' || !existsSync(packed))
    return undefined;
  const folder = unpacked(packed);
  const executablePath = join(folder, 'chromium');
  const bare = ownEnvironment();
  const fonts = existsSync('/etc/fonts/fonts.conf')
    ? {}
    : { FONTCONFIG_PATH: join(folder, 'fonts') };
  const libraries = [bare['LD_LIBRARY_PATH'], join(folder, 'al2023/lib')].filter(Boolean).join(':');
  return [
    { ...bare, ...fonts },
    { ...bare, ...fonts, LD_LIBRARY_PATH: libraries },
  ]
    .map((env) => ({ executablePath, args, env }))
    .find(({ env }) => spawnSync(executablePath, ['--version'], { env }).status === 0);
}

/** Journeys start several at a time, so the folder appears whole or not at all. */
function unpacked(packed: string): string {
  const { version } = JSON.parse(readFileSync(join(packed, 'package.json'), 'utf8')) as {
    version: string;
  };
  const cache = join(repository, 'node_modules/.cache');
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const unpacking = mkdtempSync(join(cache, 'unpacking-'));
  const script = `const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath();`;
  // It unpacks into the temp folder, and the libraries only where it believes to be on Lambda.
  const env = { ...process.env, TMPDIR: unpacking, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', script],
    { cwd: repository, env, encoding: 'utf8' },
  );
  if (status !== 0) {
    rmSync(unpacking, { recursive: true, force: true });
    throw new Error(`Chromium could not be unpacked: ${stderr}`);
  }
  try {
    renameSync(unpacking, folder);
  } catch (error) {
    rmSync(unpacking, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}
