import { availableParallelism } from 'node:os';

import { defineConfig } from '@playwright/test';

import '../tools/test-seed.ts';
import { findBrowser } from './src/browser.ts';

const { executablePath, args, env } = findBrowser();

/** Files run side by side, each with a clinic of its own; its journeys take turns in it. */
export default defineConfig({
  testDir: './journeys',
  globalSetup: ['../tools/build.mjs', './src/prepare.ts'],
  // One more than there are cores: a journey waits a third of its time.
  workers: availableParallelism() + 1,
  retries: 0,
  // Generous: on a busy machine no journey fails for being slow.
  timeout: 600_000,
  expect: { timeout: 40_000 },
  forbidOnly: true,
  outputDir: '../test-results',
  reporter: [['list']],
  use: {
    launchOptions: { executablePath, args: [...args], env: { ...env } },
    viewport: { width: 1280, height: 900 },
    locale: 'en-CA',
    // Far from the clinic: a time that leaks from the device is seen to be wrong.
    timezoneId: 'Asia/Kathmandu',
    // A page whose requests pass through a worker hides them from a journey.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
    // To look at with `npx playwright show-trace test-results/<journey>/trace.zip`. Without snapshots:
    // they fetch pictures that were chosen, which our Content-Security-Policy forbids every script.
    // The last screen stands in a picture beside it: a film of every journey costs an eighth of its time.
    trace: { mode: 'retain-on-failure', snapshots: false, screenshots: false },
    screenshot: 'only-on-failure',
  },
});
