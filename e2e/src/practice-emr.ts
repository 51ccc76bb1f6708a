import { expect } from '@playwright/test';

import { test as journey } from './journey.ts';
import type { OfferedSlot } from './pages/slot-grid.ts';

/** What `POST /practice/emr` takes. */
interface Change {
  readonly faults?: {
    readonly offline?: boolean;
    readonly silent?: boolean;
    readonly loseNextAnswer?: 'written' | 'notWritten' | null;
    readonly staffBooksInBetween?: boolean;
  };
  readonly staffCancel?: string;
  readonly staffNote?: { readonly key: string; readonly state: 'arrived' | 'noShow' };
  /** The clinic looks at it once it is as said. */
  readonly sync?: true;
}

interface InBook {
  readonly key: string;
  readonly providerId: string;
  readonly date: string;
  readonly start: string;
}

interface Standing {
  readonly book: readonly InBook[];
  readonly missing: readonly InBook[];
}

/** The EMR of a practice clinic that was opened with PRACTICE_EMR=on. */
export class PracticeEmr {
  readonly #address: string;

  constructor(clinicUrl: string) {
    this.#address = `${clinicUrl}/practice/emr`;
  }

  async change(change: Change): Promise<void> {
    const answer = await fetch(this.#address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(change),
    });
    expect(await answer.json()).toEqual({ success: true });
  }

  /** Offline for the clinic too: two syncs in a row were not answered. */
  async goOffline(): Promise<void> {
    await this.change({ faults: { offline: true }, sync: true });
    await this.change({ sync: true });
  }

  async #read(): Promise<Standing> {
    return (await (await fetch(this.#address)).json()) as Standing;
  }

  /** What stands in its book at that time. */
  async at({ doctor, time }: OfferedSlot, date: string): Promise<readonly InBook[]> {
    const { book } = await this.#read();
    return book.filter(
      (each) => each.providerId === doctor && each.date === date && each.start === time,
    );
  }

  /** Soon it has nothing at that time: what moved leaves its old time after its patient has heard. */
  async expectNone(slot: OfferedSlot, date: string): Promise<void> {
    await expect.poll(() => this.at(slot, date)).toEqual([]);
  }

  /** Every appointment that the clinic's tables call booked stands in its book. */
  async expectAllThere(): Promise<void> {
    expect((await this.#read()).missing).toEqual([]);
  }
}

/**
 * In a clinic whose EMR keeps the book; whatever happened, it has all that is called booked. Its clock
 * stands: what became of a lost answer is asked for once a journey moves it, however slow the machine.
 */
export const test = journey.extend<{ emr: PracticeEmr }>({
  clinicEnv: { PRACTICE_EMR: 'on', PRACTICE_CLOCK: 'stopped' },
  emr: async ({ clinic }, give) => {
    const emr = new PracticeEmr(clinic.url);
    await give(emr);
    await emr.expectAllThere();
  },
});
