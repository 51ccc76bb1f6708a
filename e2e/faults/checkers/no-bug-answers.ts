import type { Checker } from '../run.ts';

/** Whatever breaks underneath, a patient is told to try again; a 500 says that nobody thought of it. */
export const noBugAnswers: Checker = {
  name: 'no bug answers',
  check: ({ operations }) =>
    operations
      .filter(({ status }) => status === 500)
      .map(({ call, id }) => `${call} (operation ${id}) was answered with 500`),
};
