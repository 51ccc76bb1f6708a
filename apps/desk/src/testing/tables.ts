import { screen } from '@testing-library/react';

/** What a table says: of each row the words of its cells, the head first; bars are pictures alone. */
export async function readTable(name: string | RegExp): Promise<string[][]> {
  const { rows } = await screen.findByRole<HTMLTableElement>('table', { name });
  return [...rows].map(({ cells }) =>
    [...cells]
      .filter((cell) => cell.getAttribute('aria-hidden') !== 'true')
      .map(({ textContent }) => textContent),
  );
}
