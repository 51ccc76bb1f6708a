import { formatFee } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import { HTML, practicePage, takeForms } from '../page.ts';
import type { LedgerIntent } from './ledger.ts';
import type { PracticeGateway } from './practice-gateway.ts';

/**
 * The practice bank's 3-D Secure page: shows the amount, asks Approve or Decline, and sends the patient back
 * to the success page as Stripe does.
 */
export function practiceBank(gateway: PracticeGateway, returnUrl: string) {
  return async (app: FastifyInstance): Promise<void> => {
    takeForms(app);

    app.get<{ Params: { intent: string } }>('/practice/bank/:intent', async (request, reply) => {
      const intent = await gateway.intentAtBank(request.params.intent);
      if (intent === null) return reply.code(404).type(HTML).send(page(NOTHING_TO_APPROVE));
      if (intent.status !== 'requires_action')
        return reply.redirect(wayBack(intent, returnUrl), 303);
      return reply.type(HTML).send(page(question(intent)));
    });

    app.post<{ Params: { intent: string }; Body: string }>(
      '/practice/bank/:intent',
      { config: { limit: 'none' } },
      async (request, reply) => {
        const decision = new URLSearchParams(request.body).get('decision');
        if (decision !== 'approve' && decision !== 'decline') return reply.code(400).send();
        const intent = await gateway.decide(request.params.intent, decision === 'approve');
        if (intent === null) return reply.code(404).type(HTML).send(page(NOTHING_TO_APPROVE));
        return reply.redirect(wayBack(intent, returnUrl), 303);
      },
    );
  };
}

function wayBack({ id, status }: LedgerIntent, returnUrl: string): string {
  const paid = status === 'requires_capture' || status === 'succeeded';
  const query = new URLSearchParams({
    payment_intent: id,
    payment_intent_client_secret: `${id}_secret_practice`,
    redirect_status: paid ? 'succeeded' : 'failed',
  });
  return `${returnUrl}?${query.toString()}`;
}

const NOTHING_TO_APPROVE = '<p>There is no payment to approve here.</p>';

const question = ({
  amountCents,
}: LedgerIntent) => `<p>Do you approve this payment of ${formatFee(amountCents)}?</p>
<form method="post">
<button name="decision" value="approve">Approve</button>
<button name="decision" value="decline">Decline</button>
</form>`;

const page = (content: string) => practicePage('Practice bank', content);
