import { startStripeServer } from '../../testing/stripe-server.ts';
import { SUITE_NOW, paymentPromises } from '../../testing/payments.suite.ts';
import { createStripeGateway } from './payments-stripe.ts';

paymentPromises("Stripe's wire format", async (faults) => {
  const server = await startStripeServer({ now: () => SUITE_NOW, faults });
  const gatewayThatWaits = (timeout: number) =>
    createStripeGateway({
      secretKey: server.secretKey,
      webhookSecret: server.webhookSecret,
      returnUrl: 'https://clinic.example/booking/payment/success',
      host: '127.0.0.1',
      port: server.port,
      protocol: 'http',
      timeout,
    });
  return {
    gateway: gatewayThatWaits(600_000),
    impatient: gatewayThatWaits(2_000),
    cards: {
      succeeds: 'pm_card_visa',
      needsBank: 'pm_card_threeDSecure2Required',
      declined: 'pm_card_chargeDeclined',
      insufficient: 'pm_card_chargeDeclinedInsufficientFunds',
      expired: 'pm_card_chargeDeclinedExpiredCard',
    },
    decide: async (intent, approved) => server.decide(intent, approved),
    signedEvents: async () => server.signedEvents(SUITE_NOW),
    runStalled: async () => server.runStalled(),
    close: () => server.stop(),
  };
});
