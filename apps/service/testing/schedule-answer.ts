export {
  scheduleAnswer,
  stretchesOn,
  takenByDay,
  takenOn,
} from '../src/modules/schedule/answer.ts';
