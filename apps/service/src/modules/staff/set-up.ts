import { deskCalls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { route } from '../../server/http.ts';
import { refuse } from '../../server/refusal.ts';
import {
  announceMaintenance,
  availabilityNow,
  clinicTables,
  endMaintenance,
} from '../operations/index.ts';
import { providersAtDesk } from './booking.store.ts';

/** The most changed rows that an import's preview shows. */
const MOST_CHANGES = 200;

/** The maintenance notice, and the tables with which the clinic is set up. */
export function registerSetUp(app: FastifyInstance, platform: Platform): void {
  const { database, appendAudit, config, emr } = platform;
  const { db } = database;

  const tableOf = (what: string) => {
    const table = clinicTables.find((each) => each.what === what);
    if (table === undefined) throw new Error(`There is no table ${what}`);
    return table;
  };

  route(app, deskCalls.deskSetUp, async () => {
    const [now, providers, types, fees] = await Promise.all([
      availabilityNow(platform),
      providersAtDesk(db),
      tableOf('types').rows(db),
      tableOf('fees').rows(db),
    ]);
    const { name, email, phone, address } = config.clinic;
    return {
      success: true as const,
      extras: {
        contacts: { name, email, phone, address },
        maintenance: now.kind === 'announced' ? now.announcement : null,
        tables: clinicTables.map(({ what, columns, isInEmr }) => ({
          what,
          columns: [...columns],
          isInEmr: isInEmr && emr !== null,
        })),
        providers,
        types,
        fees,
      },
    };
  });

  route(app, deskCalls.deskMaintenance, async ({ body, staff, now }) => {
    const who = { actor: `staff:${staff.id}`, now };
    const message = body.message?.trim() || null;
    if (body.isOffline) await announceMaintenance(platform, { ...who, message });
    else await endMaintenance(platform, who);
    return { success: true as const };
  });

  route(app, deskCalls.deskExportTable, async ({ params: { what }, staff, now }) => {
    const { bytes } = await tableOf(what).exportFile(db);
    await database.inTransaction((tx) =>
      appendAudit(tx, {
        actor: `staff:${staff.id}`,
        action: 'exported',
        subject: `export:${what}`,
        at: now,
      }),
    );
    const csv = Buffer.from(bytes).toString('utf8');
    return { success: true as const, extras: { name: `${what}.csv`, csv } };
  });

  route(app, deskCalls.deskImportTable, async ({ params: { what }, body, staff, now }) => {
    const table = tableOf(what);
    if (table.isInEmr && emr !== null) return refuse('keptInEmr');
    const bytes = Buffer.from(body.file, 'base64');
    const wanted = body.version ?? null;
    const who = { actor: `staff:${staff.id}`, now, wanted };
    const { changes, problems, ...imported } = await table.importFile(platform, bytes, who);
    // The import would now change something else than the preview showed.
    if (wanted !== null && !imported.isImported && problems.length === 0)
      return refuse('previewOutdated');
    return {
      success: true as const,
      extras: {
        ...imported,
        columns: table.columns.map((name) => name.replace(/^\[|\]$/g, '')),
        changes: changes
          .slice(0, MOST_CHANGES)
          .map(({ is, fields }) => ({ is, fields: [...fields] })),
        changed: changes.length,
        problems: problems.map((problem) => ({ ...problem })),
      },
    };
  });
}
