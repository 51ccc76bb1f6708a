import type { StaffRole } from '@clinic/domain';
import type { Database } from '@clinic/service/database/db.ts';
import { sealSecret } from '@clinic/service/modules/staff/second-factor.ts';
import { staff } from '@clinic/service/schema.ts';
import type { Keyring } from '@clinic/service/security/keyring.ts';
import { hashPassword } from '@clinic/service/security/passwords.ts';
import { TOTP_SECRET_BYTES, totpCode, totpSecret } from '@clinic/service/security/totp.ts';
import { escapeHtml } from '@clinic/service/server/email-layout.ts';
import type { Clock, Ids } from '@clinic/service/server/ports.ts';
import type { FastifyInstance } from 'fastify';
import { HTML, practicePage } from './page.ts';
import { PASSWORD } from './seed.ts';

interface PracticeStaff {
  readonly email: string;
  readonly name: string;
  readonly role: StaffRole;
  readonly providerId: string | null;
}

/** One for each role. All sign in with the practice patients' password and a code from /practice/codes. */
const STAFF: readonly PracticeStaff[] = [
  { email: 'robin@practice.example', name: 'Robin Lee', role: 'receptionist', providerId: null },
  { email: 'stone@practice.example', name: 'Amelia Stone', role: 'clinician', providerId: '101' },
  { email: 'morgan@practice.example', name: 'Morgan Hale', role: 'manager', providerId: null },
  { email: 'avery@practice.example', name: 'Avery Quinn', role: 'auditor', providerId: null },
];

/** Public, as anybody can read it here: used only in the practice clinic. */
const secretFor = (email: string) =>
  totpSecret(Buffer.from(email.padEnd(TOTP_SECRET_BYTES, '.')).subarray(0, TOTP_SECRET_BYTES));

/** Inserts staff who are missing, also into a data folder that was seeded before the front desk existed. */
export async function seedStaff(
  { database, keyring, ids }: { database: Database; keyring: Keyring; ids: Ids },
  now: number,
): Promise<void> {
  const known = await database.db.select({ email: staff.email }).from(staff);
  const missing = STAFF.filter(({ email }) => known.every((each) => each.email !== email));
  if (missing.length === 0) return;
  const passwordHash = await hashPassword(PASSWORD);
  const rows = missing.map(({ email, name, role, providerId }) => {
    const id = ids.uuid();
    const totpSealed = sealSecret(keyring, id, secretFor(email));
    return { id, email, name, roles: [role], providerId, passwordHash, totpSealed, createdAt: now };
  });
  await database.inTransaction((tx) => tx.insert(staff).values(rows));
}

/** The second factor of the practice clinic: a page with the codes that an app would show. */
export function practiceCodes(app: FastifyInstance, clock: Clock): void {
  app.get('/practice/codes', async (_request, reply) => {
    const now = clock.now();
    const rows = STAFF.map(({ email, role }) => {
      const code = totpCode(secretFor(email), now);
      return `<tr><td>${escapeHtml(email)}</td><td>${role}</td><td><code>${code}</code></td></tr>`;
    });
    return reply.type(HTML).send(
      practicePage(
        'Practice codes',
        `<p>Codes for the front desk, each good once and for this half minute: load the page again for the next.</p>
<table><thead><tr><th>Email</th><th>Role</th><th>Code</th></tr></thead><tbody>${rows.join('')}</tbody></table>
<p><a href="/desk">To the front desk</a></p>`,
      ),
    );
  });
}
