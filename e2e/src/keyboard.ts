import { expect, type Page } from '@playwright/test';

/** A person who has no pointer. */
export interface Keyboard {
  readonly press: (...keys: string[]) => Promise<void>;
  /** Goes on with Tab until that control has the focus. */
  readonly tabTo: (role: 'radio' | 'button' | 'textbox', name: string | RegExp) => Promise<void>;
}

export function keyboardOf(page: Page): Keyboard {
  const press = (...keys: string[]) =>
    keys.reduce<Promise<void>>(
      (before, key) => before.then(() => page.keyboard.press(key)),
      Promise.resolve(),
    );
  return {
    press,
    async tabTo(role, name) {
      const wanted = page.getByRole(role, { name, exact: true });
      await expect(wanted.first()).toBeVisible();
      for (let steps = 0; steps < 60; steps += 1) {
        if (await wanted.evaluateAll((all) => all.includes(document.activeElement as never)))
          return;
        await press('Tab');
      }
      throw new Error(`Tab never reaches ${name}`);
    },
  };
}
