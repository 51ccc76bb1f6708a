import { databaseOn } from '../src/database/db.ts';
import { PASSWORD_COST, hashPassword } from '../src/security/passwords.ts';
import { pgliteCopy } from './database-templates.ts';
import { PASSWORD, aPatient } from './rows.ts';
import { type TestApp, testApp } from './test-app.ts';
import { unlimitedRates } from './test-config.ts';

/** A clinic with one account, whose password costs what a real one does, on a database of its own. */
export async function accountClinic(): Promise<TestApp & { readonly email: string }> {
  const clinic = await testApp({
    config: { rates: unlimitedRates(), passwordCost: PASSWORD_COST },
    database: databaseOn(await pgliteCopy()),
  });
  const passwordHash = await hashPassword(PASSWORD, PASSWORD_COST);
  const { email } = await aPatient(clinic, { passwordHash });
  return { ...clinic, email };
}
