import { calls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import type { Platform } from '../../platform.ts';
import { type ErrorReport, scrubbed } from '../../server/log.ts';
import { DONE } from '../../server/responses.ts';
import { route } from '../../server/http.ts';
import { Refusal, invalid } from '../../server/refusal.ts';
import { acceptFile } from '../documents/index.ts';
import { keepReport } from './store.ts';

/** Suggestions of patients, and failures in the browser. */
export function registerFeedback(app: FastifyInstance, platform: Platform): void {
  const { database, keyring, ids, appendAudit, reports } = platform;

  route(app, calls.reportProblem, async ({ body, patient, now }) => {
    const message = body.message.trim();
    if (message === '') return invalid('message', 'suggestionEmpty');
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
    return DONE;
  });

  route(app, calls.saveError, async ({ body }) => {
    reports.report(clientFailure(body));
    return DONE;
  });
}

/** The picture drawn anew, as a data URL; null when there is none. Its stated type is not trusted. */
async function readScreenshot(dataUrl: string): Promise<string | null | Refusal> {
  if (dataUrl === '') return null;
  const base64 = dataUrl.slice(dataUrl.indexOf(',') + 1);
  const accepted = await acceptFile(Buffer.from(base64, 'base64'), 'images');
  if (accepted instanceof Refusal) return accepted;
  const { mediaType, bytes } = accepted;
  return `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
}

/** The name at the beginning of 'TypeError: …', which is an error's name and never a person's. */
const ERROR_NAME = /^[A-Z][A-Za-z]{0,40}(?:Error|Exception)(?=:|$)/;

/** The parts of a browser's failure that may be stored: its name, the page, a status, a reference. */
export function clientFailure({
  err,
  details,
}: z.output<typeof calls.saveError.body>): ErrorReport {
  const known = typeof details === 'object' && details !== null ? details : {};
  return scrubbed({
    kind: 'client',
    code: ERROR_NAME.exec(err)?.[0] ?? 'failure',
    state: known.page,
    status: known.status,
    requestId: known.requestId,
  });
}
