export { scheduleAnswer } from '../src/modules/schedule/schedule-answer.ts';
