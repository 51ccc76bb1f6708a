import { deskCalls } from '@clinic/contract';
import { toClinic } from '@clinic/domain';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { DONE, success } from '../../server/responses.ts';
import { route } from '../../server/http.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { versionOfForm } from '../../server/version.ts';
import {
  announceMaintenance,
  availabilityNow,
  clinicTables,
  endMaintenance,
  hasEmr,
  maintenanceForm,
  refuseKeptInEmr,
  tableNamed,
} from '../operations/index.ts';
import { emrNames, minutesByCode } from '../records/index.ts';
import { providersAtDesk } from './day/booking.store.ts';

/** The most changed rows that an import's preview shows. */
const MOST_CHANGES = 200;

/** The maintenance notice, and the tables with which the clinic is set up. */
export function registerSetUp(app: FastifyInstance, platform: Platform): void {
  const { database, appendAudit, config } = platform;
  const { db } = database;

  route(app, deskCalls.deskSetUp, async ({ now }) => {
    const [availability, providers, types, fees, doctors, ofEmr] = await Promise.all([
      availabilityNow(platform),
      providersAtDesk(db),
      tableNamed('types').rows(db),
      tableNamed('fees').rows(db),
      tableNamed('providers').rows(db),
      Promise.all([
        tableNamed('codes').rows(db),
        minutesByCode(db, toClinic(now).date),
        emrNames(db, 'type'),
        emrNames(db, 'location'),
      ]),
    ]);
    const [slotCodes, weekly, emrTypes, emrSites] = ofEmr;
    const maintenance = availability.kind === 'announced' ? availability.announcement : null;
    return success({
      contacts: config.clinic,
      maintenance,
      formVersion: versionOfForm(maintenanceForm(maintenance)),
      tables: clinicTables.map((table) => ({
        ...table,
        isInEmr: table.isInEmr && hasEmr(platform),
      })),
      providers,
      types,
      fees,
      doctors,
      slotCodes,
      weekly,
      emrTypes: emrTypes.map(({ name }) => name),
      emrSites,
    });
  });

  route(app, deskCalls.deskMaintenance, async ({ body, headers, who }) => {
    const message = body.message?.trim() || null;
    const outcome = body.isOffline
      ? await announceMaintenance(platform, { ...who, message }, headers)
      : await endMaintenance(platform, who, headers);
    return outcome instanceof Refusal ? outcome : DONE;
  });

  route(app, deskCalls.deskTable, async ({ params: { what }, locale }) =>
    success(await tableNamed(what).form(db, locale)),
  );

  route(app, deskCalls.deskExportTable, async ({ params: { what }, now, who: { actor } }) => {
    const { bytes } = await tableNamed(what).exportFile(db);
    await database.inTransaction((tx) =>
      appendAudit(tx, { actor, action: 'exported', subject: `export:${what}`, at: now }),
    );
    const csv = Buffer.from(bytes).toString('utf8');
    return success({ name: `${what}.csv`, csv });
  });

  route(app, deskCalls.deskImportTable, async ({ params: { what }, body, who }) => {
    const table = tableNamed(what);
    const kept = refuseKeptInEmr(platform, table);
    if (kept !== null) return kept;
    const bytes = Buffer.from(body.file, 'base64');
    const wanted = body.version ?? null;
    const by = { ...who, wanted };
    const { changes, problems, ...imported } = await table.importFile(platform, bytes, by);
    // The import would now change something else than the preview showed.
    if (wanted !== null && !imported.isImported && problems.length === 0)
      return refuse('previewOutdated');
    return success({
      ...imported,
      columns: table.columns.map((name) => name.replace(/^\[|\]$/g, '')),
      changes: changes.slice(0, MOST_CHANGES),
      changed: changes.length,
      problems,
    });
  });
}
