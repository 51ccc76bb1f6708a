import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** The address of a new clinic on a database of the test server: a role and a schema of its own. */
export async function newClinicUrl(databaseUrl: string): Promise<string> {
  const name = `clinic_${randomBytes(6).toString('hex')}`;
  const database = new URL(databaseUrl).pathname.slice(1);
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    await client.query(`
      create schema if not exists extensions;
      create extension if not exists btree_gist schema extensions;
      create role ${name} login password 'test';
      create schema ${name} authorization ${name};
      alter role ${name} in database ${database} set search_path = ${name}, extensions`);
  } finally {
    await client.end();
  }
  return Object.assign(new URL(databaseUrl), { username: name, password: 'test' }).href;
}
