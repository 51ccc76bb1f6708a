import type { Page } from '@playwright/test';

/** The API on which a page hears what others do. */
export interface LiveSocket {
  /** Ends the connection, and every one that is tried until it is mended. */
  readonly cut: () => void;
  readonly mend: () => void;
  /** Connections that the page has tried so far. */
  readonly tries: () => number;
}

/** Asked for before the page is opened. */
export async function liveSocket(page: Page): Promise<LiveSocket> {
  let isCut = false;
  let tries = 0;
  let end = () => {};
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    tries += 1;
    if (isCut) return void socket.close();
    const service = socket.connectToServer();
    end = () => {
      void socket.close();
      void service.close();
    };
  });
  return {
    cut: () => {
      isCut = true;
      end();
    },
    mend: () => {
      isCut = false;
    },
    tries: () => tries,
  };
}
