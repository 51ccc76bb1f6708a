import type { calls } from '@clinic/contract';
import type { z } from 'zod';
import { type ErrorReport, scrubbed } from '../../server/error-reports.ts';

type Failure = z.output<typeof calls.saveError.body>;

/** 'TypeError: …' begins with a name that programs have and people have not. */
const ERROR_NAME = /^[A-Z][A-Za-z]{0,40}(?:Error|Exception)(?=:|$)/;

/** What may be kept of a failure in the browser (S-8): its name, the page, a status, a reference. */
export function clientFailure({ err, details }: Failure): ErrorReport {
  const known = typeof details === 'object' && details !== null ? details : {};
  return scrubbed({
    kind: 'client',
    code: ERROR_NAME.exec(err)?.[0] ?? 'failure',
    state: known.page,
    status: known.status,
    requestId: known.requestId,
  });
}
