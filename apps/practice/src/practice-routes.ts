import type { FastifyInstance } from 'fastify';
import type { PracticeClock } from './practice-clock.ts';
import type { PracticeMail } from './practice-email.ts';
import { invalid } from '@clinic/service/server/refusal.ts';
import { sendRefusal } from '@clinic/service/server/http.ts';
import { PRACTICE_STYLE, mailboxPage } from './mailbox-page.ts';

export interface PracticeParts {
  readonly clock: PracticeClock;
  readonly mail: PracticeMail;
  /** After the clock was moved: what the passing of days would have done. */
  readonly afterAdvance: () => Promise<unknown>;
}

const LONGEST_ADVANCE = 400 * 24 * 60 * 60;

/** What exists only in practice: the mailbox and the movable clock. */
export function practiceRoutes(
  app: FastifyInstance,
  { clock, mail, afterAdvance }: PracticeParts,
): void {
  app.get('/practice/mail', async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(mailboxPage(mail.emails())),
  );
  app.get('/practice/style.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(PRACTICE_STYLE),
  );
  app.get<{ Params: { key: string } }>('/practice/mail/:key.ics', async (request, reply) => {
    const found = mail.emails().find(({ key }) => key === request.params.key);
    if (found?.calendar === undefined) return reply.callNotFound();
    return reply
      .header('content-disposition', 'attachment; filename="visit.ics"')
      .type('text/calendar; charset=utf-8')
      .send(found.calendar.content);
  });
  app.post('/practice/clock', { config: { limit: 'none' } }, async (request, reply) => {
    const seconds = secondsOf(request.body);
    if (seconds === null) return sendRefusal(reply, invalid('advanceSeconds'));
    clock.advance(seconds);
    await afterAdvance();
    return { success: true, now: clock.now() };
  });
}

function secondsOf(body: unknown): number | null {
  if (typeof body !== 'object' || body === null || !('advanceSeconds' in body)) return null;
  const { advanceSeconds } = body;
  const fits =
    typeof advanceSeconds === 'number' &&
    Number.isInteger(advanceSeconds) &&
    advanceSeconds >= 0 &&
    advanceSeconds <= LONGEST_ADVANCE;
  return fits ? advanceSeconds : null;
}
