import type { Locator } from '@playwright/test';

import { Screen } from './screen.ts';
import { said } from '../said.ts';

/** §2 Booked. */
export class Booked extends Screen {
  static readonly heading = ['Appointment booked', 'Appointment rescheduled', 'Payment Received'];

  get sentence(): Locator {
    return this.main.getByText(/ with .+ on \w{3} \w{3} \d\d \d{4} \d\d:\d\d\.$/);
  }

  /** The calendar file that 'Add to calendar' downloads. */
  async calendarFile(): Promise<{ name: string; text: string }> {
    const [download] = await Promise.all([
      this.page.waitForEvent('download'),
      this.main.getByRole('link', { name: said(this.page, 'Add to calendar') }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer);
    return { name: download.suggestedFilename(), text: Buffer.concat(chunks).toString() };
  }
}
