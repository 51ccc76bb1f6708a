import type { Anomaly, Checker, Run } from '../run.ts';
import { acknowledgedStands } from './acknowledged-stands.ts';
import { limits } from './limits.ts';
import { moves } from './moves.ts';
import { noBugAnswers } from './no-bug-answers.ts';
import { noOverlap } from './no-overlap.ts';
import { noPhantom } from './no-phantom.ts';
import { ownList } from './own-list.ts';
import { sameAnswer } from './same-answer.ts';
import { slotRegister } from './slot-register.ts';
import { takenBySomebody } from './taken-by-somebody.ts';

export const checkers: readonly Checker[] = [
  noOverlap,
  acknowledgedStands,
  noPhantom,
  slotRegister,
  takenBySomebody,
  ownList,
  limits,
  moves,
  sameAnswer,
  noBugAnswers,
];

export const judge = (run: Run): Anomaly[] =>
  checkers.flatMap(({ name, check }) => check(run).map((says) => ({ checker: name, says })));
