import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { createQueryClient } from '../../api/query-client.ts';
import { fakeService } from '../../testing/fake-service.ts';
import { Page } from './page.tsx';

const show = (title: string) =>
  render(
    <QueryClientProvider client={createQueryClient()}>
      <Page title={title} />
    </QueryClientProvider>,
  );

test('the heading takes the focus once something was pressed, and not as the site is opened', async () => {
  fakeService();
  const first = show('Log in');
  expect(document.activeElement).toBe(document.body);
  // What was pressed is gone by the time that the next page has come.
  await userEvent.click(document.body);
  first.unmount();
  show('Home');
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Home' }));
});

test('the page has one title, which is that of the screen', () => {
  fakeService();
  document.title = 'Book an appointment';
  show('Log in');
  expect([...document.querySelectorAll('title')].map((each) => each.textContent)).toEqual([
    'Log in',
  ]);
});
