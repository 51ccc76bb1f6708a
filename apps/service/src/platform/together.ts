interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Asks for many at once what many ask at the same time: a question that arrives while another is
 * under way waits and goes out with all that wait, so its answer is never older than the question.
 * `askAll` answers in the order of the questions.
 */
export function together<Question, Answer>(
  askAll: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  let waiting: Waiting<Question, Answer>[] = [];
  let underWay = false;

  async function askWaiting(): Promise<void> {
    underWay = true;
    while (waiting.length > 0) {
      const asked = waiting;
      waiting = [];
      try {
        const answers = await askAll(asked.map(({ question }) => question));
        for (const [at, { resolve }] of asked.entries()) resolve(answers[at] as Answer);
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    underWay = false;
  }

  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (!underWay) void askWaiting();
    });
}
