export { scheduleAnswer } from '../src/modules/schedule/answer.ts';
