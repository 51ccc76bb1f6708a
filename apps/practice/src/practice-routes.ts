import { formatAppointment } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Clock } from '@clinic/service/server/ports.ts';
import { escapeHtml } from '@clinic/service/server/email-layout.ts';
import { invalid, sendRefusal } from '@clinic/service/server/refusal.ts';
import { HTML, PRACTICE_STYLE, practicePage } from './page.ts';
import type { PracticeEmail, PracticeMail } from './practice-email.ts';

/** A clock that starts at a given time, ticks on unless it is stopped, and can be moved forward. */
interface PracticeClock extends Clock {
  advance(seconds: number): void;
}

/** Runs on a monotonic clock: a change of the host's clock has no effect. */
export function practiceClock(start: number, runs: boolean): PracticeClock {
  const began = performance.now();
  let moved = 0;
  const ticked = () => (runs ? Math.floor((performance.now() - began) / 1000) : 0);
  return {
    now: () => start + moved + ticked(),
    advance: (seconds) => {
      moved += seconds;
    },
  };
}

interface PracticeParts {
  readonly clock: PracticeClock;
  readonly mail: PracticeMail;
  /** Called after the clock was moved, to do what the passing days would have done. */
  readonly afterAdvance: () => Promise<unknown>;
  /** The day sheet of the fake OSCAR; null without one. */
  readonly daySheet: string | null;
}

const LONGEST_ADVANCE = 400 * 24 * 60 * 60;
const ADVANCE = z.object({ advanceSeconds: z.int().min(0).max(LONGEST_ADVANCE) });

/** Routes that exist only in practice: the mailbox and the movable clock. */
export function practiceRoutes(
  app: FastifyInstance,
  { clock, mail, afterAdvance, daySheet }: PracticeParts,
): void {
  app.get('/practice/mail', async (_request, reply) => {
    await app.platform.outbox.drain('emails');
    return reply.type(HTML).send(mailboxPage(mail.emails(), daySheet));
  });
  app.get('/practice/style.css', async (_request, reply) =>
    reply.type('text/css; charset=utf-8').send(PRACTICE_STYLE),
  );
  app.get<{ Params: { key: string } }>('/practice/mail/:key.ics', async (request, reply) => {
    const found = mail.emails().find(({ key }) => key === request.params.key);
    if (found?.calendar === undefined) return reply.callNotFound();
    return reply
      .header('content-disposition', 'attachment; filename="appointment.ics"')
      .type('text/calendar; charset=utf-8')
      .send(found.calendar.content);
  });
  app.get<{ Params: { key: string } }>('/practice/mail/:key.html', async (request, reply) => {
    const found = mail.emails().find(({ key }) => key === request.params.key);
    if (found?.html === undefined) return reply.callNotFound();
    // An email has its own styles, and must not run scripts.
    return reply
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
      .type(HTML)
      .send(found.html);
  });
  app.post('/practice/clock', { config: { limit: 'none' } }, async (request, reply) => {
    const wanted = ADVANCE.safeParse(request.body);
    if (!wanted.success) return sendRefusal(reply, invalid('advanceSeconds'));
    clock.advance(wanted.data.advanceSeconds);
    await afterAdvance();
    return { success: true, now: clock.now() };
  });
}

/** Escapes a text and turns its web addresses into links. */
const linked = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, n) =>
      n % 2 === 0 ? escapeHtml(part) : `<a href="${escapeHtml(part)}">${escapeHtml(part)}</a>`,
    )
    .join('');

/** A page with every email that the practice clinic sent, newest first. */
function mailboxPage(emails: readonly PracticeEmail[], daySheet: string | null): string {
  const articles = emails.map(({ key, subject, to, sentAt, text, html, calendar }) => {
    const path = `/practice/mail/${encodeURIComponent(key)}`;
    return `<article>
<h2>${escapeHtml(subject)}</h2>
<p class="meta">To ${escapeHtml(to)}, ${escapeHtml(formatAppointment(sentAt))}</p>
<pre>${linked(text)}</pre>
${html === undefined ? '' : `<p><a href="${path}.html">The same as HTML</a></p>`}
${calendar === undefined ? '' : `<p><a href="${path}.ics" download>appointment.ics</a></p>`}
</article>`;
  });
  return practicePage(
    'Practice mailbox',
    `${articles.length === 0 ? '<p>No mail has been sent yet.</p>' : articles.join('\n')}
${daySheet === null ? '' : `<p><a href="${escapeHtml(daySheet)}">Day sheet of the fake OSCAR</a></p>`}
<p><a href="/">Back to the clinic</a></p>`,
  );
}
