export { registerSchedule, watchSlots } from './routes.ts';
