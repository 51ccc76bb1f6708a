import type { Database } from '@clinic/service/database/db.ts';
import { storeFile } from '@clinic/service/modules/documents/index.ts';
import { installation, patient } from '@clinic/service/schema.ts';
import { createAudit } from '@clinic/service/security/audit.store.ts';
import type { Keyring } from '@clinic/service/security/keyring.ts';
import type { PatientId } from '@clinic/service/security/sessions.store.ts';
import type { Ids } from '@clinic/service/server/ports.ts';

const SEEDED = 'practice-documents-seeded-at';
const HOUR = 3_600;

/** Two documents that wait for the front desk: one to accept, and an expired one to refuse. */
const DOCUMENTS = [
  {
    from: 'nora',
    purpose: 'healthCard',
    hoursAgo: 27,
    lines: ['Alberta Personal Health Card (practice)', 'Nora Bell', '51234-5679'],
  },
  {
    from: 'rosa',
    purpose: 'pictureId',
    hoursAgo: 5,
    lines: ['Identity card (practice)', 'Rosa Ibarra', 'Expired on 2019-03-31'],
  },
] as const;

/** Seeds the documents that patients sent, once, also into a data folder that was seeded earlier. */
export async function seedDocuments(
  { database, keyring, ids }: { database: Database; keyring: Keyring; ids: Ids },
  now: number,
): Promise<void> {
  const { db } = database;
  const facts = await db.select().from(installation);
  if (facts.some(({ key }) => key === SEEDED)) return;
  const patients = await db.select({ id: patient.id, email: patient.email }).from(patient);
  const ports = { keyring, ids, appendAudit: createAudit(keyring) };
  await database.inTransaction(async (tx) => {
    for (const { from, purpose, hoursAgo, lines } of DOCUMENTS) {
      const sender = patients.find(({ email }) => email === `${from}@practice.example`);
      if (sender === undefined) continue;
      await storeFile(ports, tx, {
        patientId: sender.id as PatientId,
        purpose,
        name: `${purpose}.pdf`,
        mediaType: 'application/pdf',
        bytes: onePage(lines),
        now: now - hoursAgo * HOUR,
      });
    }
    await tx.insert(installation).values({ key: SEEDED, value: String(now) });
  });
}

/** A PDF with one page the size of a card and one line of ASCII text for each entry. */
function onePage(lines: readonly string[]): Buffer {
  const shown = lines.map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*`).join(' ');
  const text = `BT /F1 12 Tf 18 TL 20 120 Td ${shown} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 260 160] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.4\n';
  const begins = objects.map((object, at) => {
    const begin = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(begin).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${begins.join('')}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(file + table + trailer);
}
