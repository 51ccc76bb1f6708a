export { migratePostgres } from '../src/database/migrate.ts';
