import { screen } from '@testing-library/react';
import type { Desk, Handlers } from './desk.tsx';

type Step = (desk: Desk) => Promise<unknown>;

export const press =
  (name: string | RegExp): Step =>
  async ({ user }) => {
    // A dialog stands after the page that it covers.
    const found = await screen.findAllByRole('button', { name });
    for (const button of found.slice(-1)) await user.click(button);
  };
export const takeTime =
  (name: RegExp): Step =>
  async ({ user }) =>
    user.click(await screen.findByRole('option', { name }));
export const type =
  (label: string | RegExp, text: string): Step =>
  async ({ user }) =>
    user.type(await screen.findByLabelText(label), text);
export const choose =
  (label: string | RegExp, option: string): Step =>
  async ({ user }) =>
    user.selectOptions(await screen.findByLabelText(label), option);
export const check =
  (label: string | RegExp): Step =>
  async ({ user }) =>
    user.click(await screen.findByLabelText(label));
export const findCasey: Step = async ({ user }) => {
  await screen.findByRole('button', { name: 'Find patient' });
  await user.keyboard('{Control>}k{/Control}mor{Enter}');
  await user.click(await screen.findByRole('button', { name: /^Morgan, Casey/ }));
};
export const lock: Step = ({ lock: now }) => now();
/** Of several forms the first. */
export const pressFirst =
  (name: string): Step =>
  async ({ user }) => {
    for (const button of (await screen.findAllByRole('button', { name })).slice(0, 1))
      await user.click(button);
  };
/** Where a call is made, and what is said of it. */
export interface Act {
  readonly path: string;
  readonly handlers: Handlers;
  /** What the call answers, where that is more than that it is done. */
  readonly answer?: unknown;
  /** What it answers where it only looks at what would change. */
  readonly preview?: unknown;
  readonly begin?: readonly Step[];
  /** Sends the call. */
  readonly send: readonly Step[];
  /** Sends it again, where that is done in another way. */
  readonly again?: readonly Step[];
  /** What was refused cannot be done any more, and is not offered again. */
  readonly isOverOnceRefused?: boolean;
  readonly unknown?: RegExp;
  /** What is said or shown once it is done, or no more. */
  readonly done: RegExp;
}
