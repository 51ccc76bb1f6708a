export { dayText, stretchesOn } from '../src/modules/schedule/answer.ts';
export { factsOfDays, takenOn } from '../src/modules/schedule/days.ts';
