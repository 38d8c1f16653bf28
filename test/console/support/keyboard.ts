import type { Page } from 'playwright-core';

const TABS_MAX = 200;
const OPTIONS_MAX = 30;

/** Returns the selector of the button of a form by the action that the form takes. */
export function buttonOf(action: string): string {
  return `form:has(input[name=action][value=${action}]) button.main`;
}

/** Uses a page by the keyboard alone. What Tab does not reach makes the test fail. */
export class Keyboard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Moves the focus with Tab to the first element that a selector names. */
  async to(selector: string): Promise<void> {
    const wanted = this.page.locator(selector).filter({ visible: true }).first().and(this.page.locator(':focus'));
    for (let tabs = 0; tabs <= TABS_MAX; tabs += 1) {
      if ((await wanted.count()) > 0) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`${this.page.url()}: ${TABS_MAX} times Tab do not reach ${selector}`);
  }

  /** Follows a link or presses a button that loads a page. */
  async follow(selector: string): Promise<void> {
    await this.to(selector);
    await this.loading('Enter');
  }

  /** Presses keys of which the last one loads a page. */
  async loading(...keys: readonly string[]): Promise<void> {
    const loaded = this.page.waitForEvent('load');
    for (const key of keys) await this.page.keyboard.press(key);
    await loaded;
  }

  /** Opens or checks what stays on the page. */
  async press(selector: string, key = 'Space'): Promise<void> {
    await this.to(selector);
    await this.page.keyboard.press(key);
  }

  async type(selector: string, text: string): Promise<void> {
    await this.to(selector);
    await this.page.keyboard.press('Control+A');
    await this.page.keyboard.type(text);
  }

  /** Chooses a value of a list with the arrows. */
  async choose(selector: string, value: string): Promise<void> {
    await this.to(selector);
    await this.page.keyboard.press('Home');
    for (let options = 0; options < OPTIONS_MAX; options += 1) {
      if ((await this.page.locator(selector).first().inputValue()) === value) return;
      await this.page.keyboard.press('ArrowDown');
    }
    throw new Error(`${this.page.url()}: ${selector} has no value ${value}`);
  }

  /** Reaches a file field and gives it a file. The dialog between them is the browser's, and no part of the page. */
  async chooseFile(selector: string, name: string, content: Buffer): Promise<void> {
    await this.to(selector);
    await this.page.setInputFiles(selector, { name, mimeType: 'text/csv', buffer: content });
  }
}
