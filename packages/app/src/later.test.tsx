import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Component, type ReactNode, useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { later } from './later.tsx';

afterEach(cleanup);

class Boundary extends Component<{ children: ReactNode }> {
  override state = { says: '' };

  static getDerivedStateFromError(error: Error) {
    return { says: error.message };
  }

  override render() {
    return this.state.says === '' ? this.props.children : <p>Missing: {this.state.says}</p>;
  }
}

test('a page whose code is missing is told to the boundary around it, and fetched again when it is next shown', async () => {
  let isThere = false;
  const Part = later(
    async () => {
      if (!isThere) throw new TypeError('404');
      return ({ of }: { of: string }) => <p>Notes of {of}</p>;
    },
    { waiting: <p>Loading</p> },
  );
  function Page() {
    const [times, setTimes] = useState(1);
    return (
      <>
        <button onClick={() => setTimes(times + 1)}>Open again</button>
        <Boundary key={times}>
          <Part of="Ada" />
        </Boundary>
      </>
    );
  }
  const caught: unknown[] = [];
  render(<Page />, { onCaughtError: (error) => caught.push(error) });
  screen.getByText('Loading');
  await screen.findByText('Missing: 404');
  expect(caught).toHaveLength(1);

  isThere = true;
  fireEvent.click(screen.getByText('Open again'));
  await screen.findByText('Notes of Ada');
});
