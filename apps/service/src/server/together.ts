interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Asks for many at once what many ask at the same time: a question that arrives while others are
 * under way waits and goes out with all that wait, so its answer is never older than the question.
 * `askAll` answers in the order of the questions. With `patienceMs` nobody waits longer than that
 * for others to be answered; then `askAll` runs more than once at a time.
 */
export function together<Question, Answer>(
  askAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  patienceMs?: number,
): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = [];
  /** Those that the waiting ones wait for. */
  let underWay: symbol | null = null;

  async function askWaiting(): Promise<void> {
    const asked = waiting;
    waiting = [];
    const mine = (underWay = Symbol());
    const letOthersGo = () => {
      if (underWay !== mine) return;
      underWay = null;
      if (waiting.length > 0) void askWaiting();
    };
    const patience =
      patienceMs === undefined ? undefined : setTimeout(letOthersGo, patienceMs).unref();
    try {
      const answers = await askAll(asked.map(({ question }) => question));
      for (const [at, { resolve }] of asked.entries()) resolve(answers[at] as Answer);
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
    clearTimeout(patience);
    letOthersGo();
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (underWay === null) void askWaiting();
    });
}
