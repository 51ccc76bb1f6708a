import { basename, join } from 'node:path';

import { type Browser, test } from '@playwright/test';

import { note } from '../../tools/test-map.mjs';

const folder = process.env['TEST_MAP'];

/** A browser that notes which pieces of the apps a journey loads, while a run notes what its tests run. */
export function noting(browser: Browser): Browser {
  if (folder === undefined) return browser;
  const open = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await open(options);
    const { file } = test.info();
    const known = new Set<string>();
    context.on('request', (request) => {
      const piece = /\/(assets\/[^?]+\.js)$/.exec(request.url())?.[1];
      if (piece === undefined || known.has(piece)) return;
      known.add(piece);
      note(folder, file, { piece });
    });
    return context;
  };
  return browser;
}

/** Has the processes that a journey starts from here on write down what they ran. */
export function noteProcesses(): void {
  if (folder === undefined) return;
  const { file } = test.info();
  const processes = join(folder, basename(file));
  // Of functions from the cache of compiled code it is not always told that they ran.
  Object.assign(process.env, { NODE_V8_COVERAGE: processes, NODE_DISABLE_COMPILE_CACHE: '1' });
  note(folder, file, { processes });
}
