export * from './ask.ts';
export * from './form-body.ts';
export * from './rows.ts';
export * from './sample-files.ts';
export * from './sign-in.ts';
export * from './test-app.ts';
export * from './test-config.ts';
export * from './test-database.ts';
export { startPostgresServer } from './postgres-server.ts';
