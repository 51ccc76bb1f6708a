export { registerClinic } from './routes.ts';
