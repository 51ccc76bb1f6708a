import { calls } from '@clinic/contract';
import { text } from '@clinic/contract/texts';
import type { FastifyInstance } from 'fastify';
import { route } from '../../server/http.ts';
import type { Platform } from '../../platform.ts';
import { Refusal, refuse } from '../../server/refusal.ts';
import { acceptFiles } from './accept-files.ts';
import { documentsOf, markUploaded, storeFile } from './store.ts';

export type DocumentParts = Pick<
  Platform,
  'database' | 'keyring' | 'ids' | 'appendAudit' | 'rateLimit' | 'config'
>;

/** The health card and the picture ID that some appointments ask for (§4 Next on confirm, R-34). */
export function registerDocuments(app: FastifyInstance, ports: DocumentParts): void {
  const { database, rateLimit, config } = ports;

  route(app, calls.shouldUploadDocument, async ({ patient }) => ({
    success: true as const,
    ...(await documentsOf(database.db, patient.id)),
  }));

  route(app, calls.uploadDocuments, async ({ patient, body, files, now }) => {
    const tooMany = await rateLimit.use(config.rates.uploads, patient.id, now);
    if (tooMany !== null) return tooMany;
    if (files.length === 0) return refuse('noFileChosen');
    const accepted = await acceptFiles(files, 'imagesAndPdf');
    if (accepted instanceof Refusal) return accepted;
    const purpose = body.isHealthCard === 'true' ? 'healthCard' : 'pictureId';
    await database.inTransaction(async (tx) => {
      for (const file of accepted)
        await storeFile(ports, tx, { ...file, patientId: patient.id, purpose, now });
      await markUploaded(tx, patient.id, purpose);
    });
    return { success: true as const, message: text('documentsUploaded') };
  });
}
