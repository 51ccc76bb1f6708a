import { randomBytes } from 'node:crypto';
import { addClinic } from '../src/database/clinics.store.ts';

/** The address of a new clinic on a database of the test server: a role and a schema of its own. */
export async function newClinicUrl(adminUrl: string): Promise<string> {
  let url = '';
  // Roles are the whole server's.
  await addClinic(adminUrl, `clinic_${randomBytes(6).toString('hex')}`, (given) => (url = given));
  return url;
}
