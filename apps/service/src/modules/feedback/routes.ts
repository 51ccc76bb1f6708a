import { calls } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import type { FastifyInstance } from 'fastify';
import { route } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { clientFailure } from './client-failure.ts';
import { keepReport } from './problem-reports.store.ts';
import { readScreenshot } from './read-screenshot.ts';

/** Suggestions and failures in the browser (§7). */
export function registerFeedback(app: FastifyInstance, platform: Platform): void {
  const { database, keyring, ids, appendAudit, reports } = platform;

  route(app, calls.reportProblem, async ({ body, patient, now }) => {
    const message = body.message.trim();
    if (message === '')
      return refuse('invalidInput', {
        errors: [{ field: 'message', message: text('suggestionEmpty') }],
      });
    const screenshot = await readScreenshot(body.dataURL);
    if (screenshot instanceof Refusal) return screenshot;
    const id = ids.uuid();
    await database.inTransaction(async (tx) => {
      const { isAppointment } = body;
      const report = { id, patientId: patient.id, message, screenshot, isAppointment, at: now };
      await keepReport(keyring, tx, report);
      await appendAudit(tx, {
        actor: `patient:${patient.id}`,
        action: 'suggestion sent',
        subject: `problem:${id}`,
        details: { screenshot: screenshot !== null },
        at: now,
      });
    });
    return { success: true as const };
  });

  route(app, calls.saveError, async ({ body }) => {
    reports.report(clientFailure(body));
    return { success: true as const };
  });
}
