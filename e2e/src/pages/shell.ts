import type { Locator, Page } from '@playwright/test';

import { Dialog } from './dialog.ts';
import { said } from '../said.ts';

/** What stands around every screen: header, tabs, footer. */
export class Shell {
  readonly page: Page;
  readonly header: Locator;
  readonly tabs: Locator;
  readonly footer: Locator;
  readonly practiceBanner: Locator;

  constructor(page: Page) {
    this.page = page;
    this.header = page.getByRole('banner');
    this.tabs = page.getByRole('navigation', { name: said(page, 'Pages') });
    this.footer = page.getByRole('contentinfo');
    this.practiceBanner = this.header.getByText(
      said(page, 'Practice clinic: nothing here is real.'),
      { exact: true },
    );
  }

  tab(name: 'Book Appointment' | 'My Appointments' | 'My Account'): Locator {
    return this.tabs.getByRole('link', { name: said(this.page, name), exact: true });
  }

  logout(): Locator {
    return this.header.getByRole('button', { name: said(this.page, 'Logout') });
  }

  home(): Locator {
    return this.header.getByRole('link', { name: said(this.page, ['{clinic}, home']) });
  }

  /** One of the texts that the footer opens. */
  async openLegal(name: 'Terms of Use' | 'Privacy Policy' | 'Fee Schedule'): Promise<Dialog> {
    await this.footer.getByRole('button', { name: said(this.page, name), exact: true }).click();
    return Dialog.arrive(this.page, name);
  }

  async chooseColours(name: 'Same as my device' | 'Light' | 'Dark'): Promise<void> {
    await this.footer.getByLabel(said(this.page, 'Colours')).selectOption({ label: name });
  }
}
