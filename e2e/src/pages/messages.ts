import type { Locator } from '@playwright/test';

import type { AttachedFile } from '../attached-files.ts';
import { Screen } from './screen.ts';
import { said } from '../said.ts';

/** The messages in My Account. */
export class Messages extends Screen {
  static readonly heading = 'My Account';

  section(): Locator {
    return this.page.getByRole('region', { name: said(this.page, 'Messages'), exact: true });
  }

  row(words: string | RegExp): Locator {
    return this.section().getByRole('button', { name: words });
  }

  /** One text of the thread that is open. */
  entry(words: string): Locator {
    return this.section().getByRole('listitem').filter({ hasText: words });
  }

  async write(label: 'Your message' | 'Your reply', words: string): Promise<void> {
    await this.section().getByLabel(said(this.page, label)).fill(words);
  }

  async attach(...files: readonly AttachedFile[]): Promise<void> {
    await this.section()
      .getByRole('button', { name: said(this.page, 'Attach files') })
      .click();
    await this.section()
      .getByLabel(said(this.page, 'Choose files'))
      .setInputFiles([...files]);
  }

  async send(): Promise<void> {
    await this.section()
      .getByRole('button', { name: said(this.page, 'Send'), exact: true })
      .click();
  }
}
