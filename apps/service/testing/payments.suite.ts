import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Intent, PaymentGateway } from '../src/modules/payments/gateway.ts';
import {
  GatewayDeclined,
  GatewayOutcomeUnknown,
  GatewayRefused,
  GatewayUnreachable,
} from '../src/modules/payments/gateway.ts';
import type { FaultSwitch, SignedEvent } from '@clinic/practice/payments/practice-gateway.ts';

/** A gateway under test, and what stands behind it. */
export interface GatewayUnderTest {
  /** Waits for an answer however long a busy machine takes. */
  readonly gateway: PaymentGateway;
  /** The same where that would wait for ever: gives up a call that is never answered. */
  readonly impatient?: PaymentGateway;
  /** Payment methods by how their cards behave. */
  readonly cards: {
    readonly succeeds: string;
    readonly needsBank: string;
    readonly declined: string;
    readonly insufficient: string;
    readonly expired: string;
  };
  decide(intent: string, approved: boolean): Promise<void>;
  signedEvents(): Promise<readonly SignedEvent[]>;
  runStalled(): Promise<void>;
  close(): Promise<void>;
}

export const SUITE_NOW = 1_795_280_400;
const PAYMENT = '2f0c5f8e-6f0a-4f5e-9d0a-000000000001';
const OTHER = '2f0c5f8e-6f0a-4f5e-9d0a-000000000002';

/** The promises of the payments port, for every adapter alike. */
export function paymentPromises(
  name: string,
  open: (faults: FaultSwitch) => Promise<GatewayUnderTest>,
): void {
  describe(`card payments with ${name}`, () => {
    let test: GatewayUnderTest;
    let fault: ReturnType<FaultSwitch> = null;
    const once = (kind: NonNullable<typeof fault>) => (fault = kind);

    beforeEach(async () => {
      fault = null;
      test = await open((call) => {
        const now = call === 'retrieve' || call === 'list' ? null : fault;
        if (now !== null) fault = null;
        return now;
      });
    });
    afterEach(() => test.close());

    const draft = (
      paymentMethod = test.cards.succeeds,
      key = 'pi-create:1',
      payment = PAYMENT,
    ) => ({
      key,
      payment,
      amountCents: 20_000,
      paymentMethod,
    });
    const create = (...of: Parameters<typeof draft>) => test.gateway.createAndConfirm(draft(...of));
    const failure = async (call: Promise<unknown>): Promise<unknown> => {
      try {
        await call;
      } catch (error) {
        return error;
      }
      throw new Error('The call was expected to fail');
    };
    const read = async (intent: string): Promise<Intent> => {
      const found = await test.gateway.retrieve(intent);
      if (found === null) throw new Error('The intent is gone');
      return found;
    };

    const intentsSince = async (createdFrom: number): Promise<Intent[]> =>
      (await test.gateway.listIntents(createdFrom)).filter(({ payment }) => payment === PAYMENT);

    it('authorises without taking the money', async () => {
      const intent = await create();
      expect(intent).toMatchObject({
        status: 'authorised',
        amountCents: 20_000,
        capturedCents: 0,
        currency: 'cad',
        payment: PAYMENT,
        bankUrl: null,
        declined: null,
        refund: null,
      });
      expect(await read(intent.id)).toEqual(intent);
    });

    it('takes the whole amount once, however often the capture is repeated', async () => {
      const { id } = await create();
      const first = await test.gateway.capture('pi-capture:1', id, 20_000);
      const again = await test.gateway.capture('pi-capture:1', id, 20_000);
      expect([first.status, first.capturedCents, again]).toEqual(['captured', 20_000, first]);
    });

    it('refuses a second capture under another key', async () => {
      const { id } = await create();
      await test.gateway.capture('pi-capture:1', id, 20_000);
      expect(await failure(test.gateway.capture('pi-capture:2', id, 20_000))).toMatchObject({
        name: 'GatewayRefused',
        code: 'payment_intent_unexpected_state',
      });
    });

    it('makes one intent for one key, and refuses the key for another request', async () => {
      const first = await create();
      expect(await create()).toEqual(first);
      const error = await failure(create(test.cards.expired));
      expect(error).toBeInstanceOf(GatewayRefused);
      expect(await intentsSince(SUITE_NOW)).toHaveLength(1);
    });

    it.each([
      ['declined', 'generic_decline', 'Your card was declined.'],
      ['insufficient', 'insufficient_funds', 'Your card has insufficient funds.'],
      ['expired', 'expired_card', 'Your card has expired.'],
    ] as const)('says why a card is not taken: %s', async (card, code, message) => {
      const error = await failure(create(test.cards[card]));
      expect(error).toBeInstanceOf(GatewayDeclined);
      expect(error).toMatchObject({ code, message });
      const [intent] = await intentsSince(SUITE_NOW);
      expect(intent).toMatchObject({ status: 'needsCard', declined: { code, message } });
    });

    it('repeats a decline under its key, and takes another card on the same intent', async () => {
      for (let tries = 0; tries < 2; tries += 1)
        expect(await failure(create(test.cards.declined))).toBeInstanceOf(GatewayDeclined);
      const id = (await intentsSince(SUITE_NOW))[0]?.id ?? '';
      const paid = await test.gateway.confirm('pi-confirm:1:1', id, test.cards.succeeds);
      expect(paid).toMatchObject({ id, status: 'authorised', declined: null });
    });

    it('sends the patient to the bank, and takes its approval', async () => {
      const { id, status, bankUrl } = await create(test.cards.needsBank);
      expect(status).toBe('needsAction');
      expect(bankUrl).toMatch(/^https?:\/\/.*\/bank\//);
      await test.decide(id, true);
      expect(await read(id)).toMatchObject({ status: 'authorised', bankUrl: null });
    });

    it('wants another card when the bank says no', async () => {
      const { id } = await create(test.cards.needsBank);
      await test.decide(id, false);
      expect(await read(id)).toMatchObject({
        status: 'needsCard',
        declined: { code: 'payment_intent_authentication_failure' },
      });
    });

    it('lets an authorisation go, and knows it afterwards', async () => {
      const { id } = await create();
      expect((await test.gateway.cancel('pi-cancel:1:0', id)).status).toBe('cancelled');
      expect((await test.gateway.cancel('pi-cancel:1:0', id)).status).toBe('cancelled');
      expect(await failure(test.gateway.capture('pi-capture:1', id, 20_000))).toBeInstanceOf(
        GatewayRefused,
      );
    });

    it('refuses to let go what was taken', async () => {
      const { id } = await create();
      await test.gateway.capture('pi-capture:1', id, 20_000);
      expect(await failure(test.gateway.cancel('pi-cancel:1:0', id))).toBeInstanceOf(
        GatewayRefused,
      );
    });

    it('gives the money back once', async () => {
      const { id } = await create();
      await test.gateway.capture('pi-capture:1', id, 20_000);
      await test.gateway.refund('refund:1:slotRemoved', id, 20_000);
      await test.gateway.refund('refund:1:slotRemoved', id, 20_000);
      expect(await read(id)).toMatchObject({
        status: 'captured',
        refund: { status: 'succeeded', amountCents: 20_000 },
      });
      expect(await failure(test.gateway.refund('refund:1:other', id, 20_000))).toBeInstanceOf(
        GatewayRefused,
      );
    });

    it('does not know an intent that nobody made', async () => {
      expect(await test.gateway.retrieve('pi_nobody')).toBeNull();
      expect(await failure(test.gateway.capture('k', 'pi_nobody', 100))).toBeInstanceOf(
        GatewayRefused,
      );
    });

    it('finds the intents of one payment and lists all of them, newest first', async () => {
      const mine = await create();
      for (let n = 0; n < 104; n += 1)
        await create(test.cards.succeeds, `pi-create:other:${n}`, OTHER);
      expect(await intentsSince(SUITE_NOW)).toEqual([mine]);
      expect(await intentsSince(SUITE_NOW + 1)).toEqual([]);
      const listed = await test.gateway.listIntents(SUITE_NOW);
      expect(listed).toHaveLength(105);
      expect(new Set(listed.map(({ id }) => id)).size).toBe(105);
      expect(listed.at(-1)).toEqual(mine);
    });

    it('says that nothing happened when it was turned away at the door', async () => {
      once('tooMany');
      expect(await failure(create())).toBeInstanceOf(GatewayUnreachable);
      expect(await intentsSince(SUITE_NOW)).toEqual([]);
      expect((await create()).status).toBe('authorised');
    });

    it.each(['dropBefore', 'dropAfter'] as const)(
      'does not know what became of a call whose connection broke (%s); the key tells',
      async (kind) => {
        once(kind);
        expect(await failure(create())).toMatchObject({
          name: 'GatewayOutcomeUnknown',
          answered: false,
        });
        const made = await intentsSince(SUITE_NOW);
        expect(made).toHaveLength(kind === 'dropAfter' ? 1 : 0);
        const intent = await create();
        expect(await intentsSince(SUITE_NOW)).toEqual([intent]);
      },
    );

    it.each(['error500', 'error500After'] as const)(
      'repeats a 500 under its key, with the effect or without (%s)',
      async (kind) => {
        once(kind);
        for (let tries = 0; tries < 2; tries += 1)
          expect(await failure(create())).toMatchObject({
            name: 'GatewayOutcomeUnknown',
            answered: true,
          });
        expect(await intentsSince(SUITE_NOW)).toHaveLength(kind === 'error500After' ? 1 : 0);
      },
    );

    it('may act late on a call that was given up, and then only once', async () => {
      once('stall');
      const { impatient = test.gateway } = test;
      const stalled = impatient.createAndConfirm(draft());
      expect(await failure(stalled)).toBeInstanceOf(GatewayOutcomeUnknown);
      expect(await intentsSince(SUITE_NOW)).toEqual([]);
      const intent = await create();
      await test.runStalled();
      expect(await intentsSince(SUITE_NOW)).toEqual([intent]);
    });

    it('tells its events under its signature', async () => {
      const { id } = await create();
      await test.gateway.capture('pi-capture:1', id, 20_000);
      const events = await test.signedEvents();
      const read = events.map(({ body, signature }) => {
        const event = test.gateway.verifyWebhook(Buffer.from(body), signature, SUITE_NOW);
        return typeof event === 'string' ? null : event;
      });
      expect(read.map((event) => [event?.type, event?.intent, event?.createdAt])).toEqual([
        ['payment_intent.amount_capturable_updated', id, SUITE_NOW],
        ['payment_intent.succeeded', id, SUITE_NOW],
      ]);
      expect(new Set(read.map((event) => event?.id)).size).toBe(2);
    });

    it('takes no event that was changed, signed by another or is older than 300 seconds', async () => {
      await create();
      const [event] = await test.signedEvents();
      const { body = '', signature = '' } = event ?? {};
      const verify = (text: string, header: string, now: number) =>
        test.gateway.verifyWebhook(Buffer.from(text), header, now);
      const whole = verify(body, signature, SUITE_NOW + 300);
      expect(whole).toMatchObject({ type: 'payment_intent.amount_capturable_updated' });
      // As Stripe's own library takes them: another order, a scheme more, a second secret.
      const [t = '', v1 = ''] = signature.split(',');
      for (const header of [
        `${v1},${t}`,
        `${signature},v0=00,v2=x`,
        `${t},v1=${'0'.repeat(64)},${v1}`,
      ])
        expect(verify(body, header, SUITE_NOW)).toEqual(whole);
      expect([
        verify(`${body} `, signature, SUITE_NOW),
        verify(body, signature.replace(/v1=./, 'v1=x'), SUITE_NOW),
        verify(body, '', SUITE_NOW),
        verify(body, 't=1,v1=', SUITE_NOW),
        verify(body, 't=,v1', SUITE_NOW),
        verify('', signature, SUITE_NOW),
        verify(body, signature, SUITE_NOW + 301),
      ]).toEqual(Array(7).fill('forged'));
    });
  });
}
