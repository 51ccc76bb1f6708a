export { registerAuth } from './routes.ts';
