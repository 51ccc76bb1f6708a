import {
  type PostgresServer,
  startPostgresServer,
} from '../apps/service/testing/postgres-server.ts';

import { workingFor } from './processor-time.mjs';

let server: PostgresServer | undefined;

/** Starts one PostgreSQL server for all suites that need one, unless TEST_DATABASE_URL names another. */
export async function setup() {
  if (process.env.TEST_DATABASE_URL !== undefined) return;
  Object.assign(process.env, workingFor('PostgreSQL'));
  server = await startPostgresServer();
  process.env.TEST_DATABASE_URL = server.url;
}

export async function teardown() {
  await server?.stop();
  server = undefined;
}
