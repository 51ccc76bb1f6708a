import type { Page } from '@playwright/test';

import { standing, type Truth } from './truth.ts';

/** What stands on a page. */
export interface Seen {
  readonly heading: string;
  readonly words: string;
  /** The words of an open dialog. */
  readonly dialog: string | null;
  /** 'Your appointment' beside the steps of a booking. */
  readonly summary: string | null;
  /** Cards of My Appointments by section. */
  readonly cards: Readonly<Record<string, readonly string[]>>;
  /** The messages that are listed; null where no list is shown. */
  readonly messages: number | null;
  /** What stands beside 'City' of the profile; null where it is not shown. */
  readonly city: string | null;
  /** The appointment that the open booking moves. */
  readonly moves: string | null;
  readonly alerts: string;
}

/** Reads a page at one moment. */
export function seenOn(page: Page): Promise<Seen> {
  return page.evaluate(() => {
    const all = (selector: string, within: ParentNode = document) => [
      ...within.querySelectorAll<HTMLElement>(selector),
    ];
    const main = document.querySelector<HTMLElement>('main');
    const state = history.state as { moved?: string | null } | null;
    const cards = all('main section').map((section): [string, string[]] => [
      section.querySelector('h2')?.textContent ?? '',
      all('li', section).map((card) => card.textContent ?? ''),
    ]);
    const list = document.querySelector('ul[aria-label="Your messages"]');
    const isListed = list !== null || (main?.textContent ?? '').includes('No messages yet.');
    const city = all('dt').find((name) => name.textContent === 'City')?.nextElementSibling;
    return {
      heading: main?.querySelector('h1')?.textContent ?? '',
      words: main?.textContent ?? '',
      dialog: document.querySelector('dialog[open], [role="alertdialog"]')?.textContent ?? null,
      summary: main?.querySelector('aside')?.textContent ?? null,
      cards: Object.fromEntries(cards),
      messages: isListed ? (list?.children.length ?? 0) : null,
      city: city?.textContent ?? null,
      moves: location.pathname === '/' ? (state?.moved ?? null) : null,
      alerts: document.querySelector('[role="log"]')?.textContent ?? '',
    };
  });
}

const MOMENT = /[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4} (?:at )?\d\d:\d\d/g;
const momentsIn = (words: string) =>
  (words.match(MOMENT) ?? []).map((moment) => moment.replace(' at ', ' '));

const ENDS = [
  'Appointment booked',
  'Appointment rescheduled',
  'Payment Received',
  'Appointment Booked Successfully!',
];

/** Every sentence on the page that claims something which is not so, and what is so that is missing. */
export function untrueOn(seen: Seen, truth: Truth): string[] {
  const booked = standing(truth);
  const { words, heading } = seen;
  const wrong: string[] = [];
  const claim = (what: string, isSaid: boolean, isSo: boolean) => {
    if (isSaid !== isSo) wrong.push(`${isSaid ? 'says' : 'does not say'} that ${what}`);
  };
  const mayMove =
    seen.moves === null || truth.appointments.some(({ id, stands }) => id === seen.moves && stands);
  const isBooking = seen.summary !== null || words.includes('can no longer be rescheduled');
  if (isBooking)
    claim('it can no longer be moved', words.includes('can no longer be rescheduled'), !mayMove);
  if (seen.alerts.includes('has replied')) wrong.push('says that the clinic has replied');
  if (words.includes('Not booked yet') && /You can only book/.test(words))
    claim('another try helps after a limit', words.includes('You can try again'), false);

  if (heading.startsWith('Please choose appointment type') && mayMove) {
    const isHeld = words.includes('This time is held for you until');
    claim('a time is held', isHeld, truth.held !== null);
    if (isHeld && truth.held !== null && !words.includes(truth.held))
      wrong.push(`names another time than ${truth.held} as held`);
    if (seen.moves === null)
      claim('there are two already', /maximum of two/.test(words), booked.length >= 2);
  }
  if (['Confirm your appointment', 'Pay for Appointment'].includes(heading) && mayMove) {
    const [when = ''] = momentsIn(seen.summary ?? '');
    const isHeld = truth.held === when;
    claim(`${when} is held`, /Held for youuntil \d\d:\d\d/.test(seen.summary ?? ''), isHeld);
    // Where a refusal has taken the place of the sentence, the summary still says it.
    const isLost =
      /no longer held for you|This time was released/.test(words) ||
      /Held for youno longer/.test(seen.summary ?? '');
    claim(`${when} is no longer held`, isLost, !isHeld);
    if (!isHeld) {
      claim('another is held', words.includes('You are holding another time'), truth.held !== null);
      if (booked.includes(when)) wrong.push(`does not show that ${when} is booked`);
    }
  }
  if (ENDS.includes(heading)) {
    const [when = ''] = momentsIn(words);
    if (!booked.includes(when)) wrong.push(`says that ${when} is booked`);
  }
  if (heading === 'My Appointments') {
    const cards = Object.entries(seen.cards).find(([name]) => name.startsWith('Upcoming'))?.[1];
    const listed = (cards ?? []).flatMap((card) => momentsIn(card).slice(0, 1)).toSorted();
    if (listed.join() !== booked.join())
      wrong.push(`lists ${listed.join() || 'none'} as upcoming and not ${booked.join() || 'none'}`);
    claim('nothing is upcoming', words.includes('No upcoming appointments'), booked.length === 0);
  }
  const asks = /Are you sure you (?:wish to cancel|want to reschedule)/;
  for (const asking of [heading === 'Cancel Appointment' ? words : null, seen.dialog])
    if (asking !== null && asks.test(asking) && !booked.includes(momentsIn(asking)[0] ?? ''))
      wrong.push(`still asks about ${momentsIn(asking)[0]}`);
  if (seen.messages !== null && seen.messages !== truth.messages)
    wrong.push(`lists ${seen.messages} messages and not ${truth.messages}`);
  if (seen.city !== null && seen.city !== truth.city)
    wrong.push(`shows ${seen.city} and not ${truth.city}`);
  return wrong;
}
