import { expect, test } from 'vitest';
import { acceptFile } from '@clinic/service/modules/documents/index.ts';
import { listDocuments, openDocument } from '@clinic/service/modules/patients/index.ts';
import { practiceClinic } from '../testing/practice-clinic.ts';

const clinic = practiceClinic();

test('Two documents wait for the front desk of the practice clinic, each a file that patients can send', async () => {
  const { platform } = clinic().app;
  const search = { waiting: true, limit: 9, after: null };
  const { documents } = await listDocuments(platform, search);
  expect(documents.map(({ name, purpose }) => [name, purpose])).toEqual([
    ['Bell, Nora', 'healthCard'],
    ['Ibarra, Rosa', 'pictureId'],
  ]);
  for (const { id } of documents) {
    const file = await openDocument(platform, id);
    expect(file?.name).toMatch(/\.pdf$/);
    const accepted = await acceptFile(file?.bytes ?? new Uint8Array(), 'documents');
    expect(accepted).toMatchObject({ mediaType: 'application/pdf' });
  }
});
