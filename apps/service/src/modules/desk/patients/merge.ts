import { deskCalls } from '@clinic/contract';
import { fullName } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../../platform.ts';
import { DONE, success } from '../../../server/responses.ts';
import { route } from '../../../server/http.ts';
import { look, showing } from '../../../server/audited-reads.ts';
import { Refusal } from '../../../server/refusal.ts';
import { mergePatients, previewMerge, tellApart, undoMerge } from '../../patients/index.ts';
import { type Person } from '../../accounts/index.ts';
import { countsOfRecord } from './patients.store.ts';

/** Merging two records of one person at the front desk, undoing it, and saying that they are of two. */
export function registerMerging(app: FastifyInstance, platform: Platform): void {
  const { database, realtime } = platform;

  async function shown({ recordId, account, cardSealed, ...person }: Person, now: number) {
    return {
      recordId,
      name: fullName(person),
      birthDate: person.birthDate,
      cardProvince: person.cardProvince,
      hasCard: cardSealed !== null,
      hasAccount: account !== null,
      ...(await countsOfRecord(database.db, recordId, now)),
    };
  }

  route(app, deskCalls.deskForeseeMerge, async ({ params, body, now }) => {
    const found = await previewMerge(platform, params.id, body.other, now);
    if (found instanceof Refusal) return found;
    const [kept, gone] = [await shown(found.kept, now), await shown(found.gone, now)];
    return showing(
      { kept, gone },
      look('merge of records foreseen', `record:${kept.recordId}`, [kept.recordId, gone.recordId]),
    );
  });

  route(app, deskCalls.deskMergePatients, async ({ params, body, who }) => {
    return told(await mergePatients(platform, params.id, body.other, who));
  });

  route(app, deskCalls.deskUndoMerge, async ({ params, who }) =>
    told(await undoMerge(platform, params.id, who)),
  );

  route(app, deskCalls.deskTellApart, async ({ body, who }) => {
    return (await tellApart(platform, [body.one, body.other], who)) ?? DONE;
  });

  function told(recordId: string | Refusal) {
    if (recordId instanceof Refusal) return recordId;
    realtime.sayToDesk();
    return success({ recordId });
  }
}
