export { registerConfig } from './routes.ts';
