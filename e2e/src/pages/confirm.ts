import { expect, type Locator } from '@playwright/test';

import { AppointmentDetails } from './appointment-details.ts';
import type { Booked } from './booked.ts';
import { Dialog } from './dialog.ts';
import type { Payment } from './payment.ts';
import { Screen } from './screen.ts';
import { said, saying } from '../said.ts';

/** §2 Booking step 3. */
export class Confirm extends Screen {
  static readonly heading = 'Confirm your appointment';

  /** Of the facts about the appointment: Time, Provider, Type, Patient. */
  fact(label: 'Time' | 'Provider' | 'Type' | 'Patient'): Locator {
    return this.main
      .getByRole('definition')
      .filter({ has: this.page.locator(`xpath=preceding-sibling::dt[.="${label}"]`) })
      .last();
  }

  /** 'Your appointment', beside the form. */
  get summary(): Locator {
    return this.main.getByRole('complementary', { name: said(this.page, 'Your appointment') });
  }

  get reason(): Locator {
    return this.main.getByRole('textbox', {
      name: said(this.page, [
        'Reason for your appointment',
        'Injury claim number',
        'Driver licence number',
      ]),
    });
  }

  /** Next, on to what the patient agrees to. */
  async next(reason?: string): Promise<AppointmentDetails> {
    if (reason !== undefined) await this.reason.fill(reason);
    await this.press('Next');
    return AppointmentDetails.arrive(this.page, 'Appointment Details');
  }

  /** Next, on to the dialog of that name. */
  async nextTo(question: string): Promise<Dialog> {
    await this.press('Next');
    return Dialog.arrive(this.page, question);
  }

  /** Next, on to the warning of a fee of 140 or more. */
  async nextWarned(reason: string): Promise<Dialog> {
    await this.reason.fill(reason);
    await this.press('Next');
    return Dialog.arrive(this.page, 'Warning');
  }

  /** On to payment, past the warning where the fee is high. */
  async toPayment(reason: string, { warned }: { warned: boolean }): Promise<Payment> {
    if (!warned) return (await this.next(reason)).agreeToPay();
    await (await this.nextWarned(reason)).press('I accept the fee');
    const details = await AppointmentDetails.arrive(this.page, 'Appointment Details');
    return details.agreeToPay();
  }

  async book(reason: string): Promise<Booked> {
    return (await this.next(reason)).agree();
  }

  /** What Next says about the reason, in the field and in the summary that takes the focus. */
  async expectReasonRefused(text: string): Promise<void> {
    await this.press('Next');
    await expect(this.alert()).toContainText(saying(this.page, text));
    await expect(this.alert()).toBeFocused();
    await expect(this.reason).toHaveAttribute('aria-invalid', 'true');
    await expect(this.reason).toHaveAccessibleDescription(saying(this.page, 'Error:', text));
  }
}
