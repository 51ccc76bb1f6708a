import { expect } from '@playwright/test';

import { picture } from '../attached-files.ts';
import { AppointmentDetails } from '../pages/appointment-details.ts';
import { Appointments } from '../pages/appointments.ts';
import type { ChooseType } from '../pages/choose-type.ts';
import { Dialog } from '../pages/dialog.ts';
import { PaymentFailure, PaymentSuccess, PracticeBank } from '../pages/payment-end.ts';
import { practiceCards } from '../pages/payment.ts';
import { UploadDocument } from '../pages/upload-document.ts';
import type { Flow } from './flow.ts';

/** From home to the bank with a card that asks it first, for a type that others leave alone. */
async function toBank(home: ChooseType, type: string): Promise<PracticeBank> {
  const { confirm } = await (await home.search(type)).pickFirst();
  const warned = type === 'Private visit';
  const payment = await confirm.toPayment('a sore knee', { warned });
  await payment.payWith(practiceCards.bankFirst);
  return PracticeBank.arrive(payment.page);
}

/** Fees, with and without a bank that is asked first. */
export const paymentFlows: readonly Flow[] = [
  {
    email: 'noel@practice.example',
    go: async ({ page, stop, home }) => {
      const { confirm } = await (await (await home()).search('Phone consultation')).pickFirst();
      const warning = await confirm.nextWarned('a rash');
      await stop('fee-warning');
      await warning.press('I accept the fee');
      for (const step of Object.values(UploadDocument.steps)) {
        const asked = await UploadDocument.arrive(page, step);
        await asked.choose(picture('document.png'));
        await asked.upload();
      }
      const notice = await Dialog.arrive(page, 'Important Notice');
      await stop('notice');
      await notice.press('I Understand');
      const details = await AppointmentDetails.arrive(page, 'Appointment Details');
      const payment = await details.agreeToPay();
      await expect(payment.number).toBeVisible();
      await stop('payment');
      await payment.payWith(practiceCards.declined);
      await expect(payment.alert()).toBeVisible();
      await stop('payment-declined');
      await payment.payAndBook();
      await stop('payment-received');
      await page.goto('/appointments');
      const list = await Appointments.arrive(page);
      await list.receipt(list.cards('Upcoming').first());
      await stop('receipt');
    },
  },
  {
    email: 'dee@practice.example',
    go: async ({ page, stop, home }) => {
      await (await toBank(await home(), 'Private visit')).press('Approve');
      await PaymentSuccess.arrive(page);
      await stop('payment-success');
    },
  },
  {
    email: 'fran@practice.example',
    go: async ({ page, stop, home }) => {
      await (await toBank(await home(), 'Private phone consultation')).press('Decline');
      await PaymentFailure.arrive(page);
      await stop('payment-failure');
    },
  },
];
