import type { Page, Response } from '@playwright/test';

/** The service has kept the answers given so far, or has said that it cannot. */
export function draftKept(page: Page): Promise<Response> {
  return page.waitForResponse((answer) => answer.url().endsWith('/schedule/hold/draft'));
}
