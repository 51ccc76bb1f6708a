export { migratePostgres } from '../src/platform/migrate.ts';
