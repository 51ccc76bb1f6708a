import { expect, type Locator, type Page } from '@playwright/test';

/** A person who has no pointer. */
export interface Keyboard {
  readonly press: (...keys: string[]) => Promise<void>;
  /** Goes on with Tab until that control has the focus. */
  readonly tabTo: (
    role: 'radio' | 'button' | 'textbox' | 'checkbox',
    name: string | RegExp,
  ) => Promise<void>;
  /** The same with the field of that label; what is typed is written or, in a list, chosen. */
  readonly answer: (label: string, typed: string) => Promise<void>;
}

export function keyboardOf(page: Page): Keyboard {
  const press = (...keys: string[]) =>
    keys.reduce<Promise<void>>(
      (before, key) => before.then(() => page.keyboard.press(key)),
      Promise.resolve(),
    );
  const tabUntil = async (wanted: Locator) => {
    await expect(wanted.first()).toBeVisible();
    for (let steps = 0; steps < 60; steps += 1) {
      if (await wanted.evaluateAll((all) => all.includes(document.activeElement as never))) return;
      await press('Tab');
    }
    throw new Error(`Tab never reaches ${String(wanted)}`);
  };
  return {
    press,
    tabTo: (role, name) => tabUntil(page.getByRole(role, { name, exact: true })),
    async answer(label, typed) {
      await tabUntil(page.getByLabel(label, { exact: true }));
      await page.keyboard.type(typed);
    },
  };
}
