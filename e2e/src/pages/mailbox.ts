import { expect, type Page } from '@playwright/test';

/** Where the link of a confirmation mail leads; of several forms, that of the newest. */
export const confirmLinkIn = (mail: string): string =>
  /\/confirm\/[\w-]+/.exec(mail)?.[0] ?? 'no link';

/** Waits for a mail in the practice mailbox, newest first; gives its words. What waits to be sent is sent first. */
export async function expectMail(page: Page, to: string, subject: RegExp): Promise<string> {
  let words = '';
  const look = async () => {
    const mailbox = await (await page.request.get('/practice/mail')).text();
    const mails = mailbox.split('<article>').slice(1).map(wordsIn);
    words = mails.find((mail) => mail.includes(`To ${to},`) && subject.test(mail)) ?? '';
    return words;
  };
  await expect.poll(look, `a mail to ${to}, ${String(subject)}`).not.toBe('');
  return words;
}

const wordsIn = (html: string): string =>
  html
    .replace(/<\/article>[^]*/, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
