import { judge } from '../checkers/index.ts';
import { badHistories } from './bad-histories.ts';
import { goodHistories } from './good-histories.ts';

export interface PlantedResult {
  readonly rejected: number;
  readonly bad: number;
  readonly accepted: number;
  readonly good: number;
  /** What went wrong, one line each. */
  readonly complaints: readonly string[];
}

/** Each bad history must be rejected by the checker it was made for, each good one by none. */
export function judgePlanted(): PlantedResult {
  const missed = badHistories.filter(
    ({ run, checker }) => !judge(run).some((anomaly) => anomaly.checker === checker),
  );
  const blamed = goodHistories.flatMap(({ says, run }) => {
    const [anomaly] = judge(run);
    return anomaly === undefined ? [] : [`blamed "${says}": ${anomaly.checker}: ${anomaly.says}`];
  });
  return {
    bad: badHistories.length,
    rejected: badHistories.length - missed.length,
    good: goodHistories.length,
    accepted: goodHistories.length - blamed.length,
    complaints: [...missed.map(({ says, checker }) => `${checker} missed "${says}"`), ...blamed],
  };
}
