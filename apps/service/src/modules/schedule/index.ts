export { registerSchedule } from './routes.ts';
