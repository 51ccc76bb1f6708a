import type { Page, WebSocketRoute } from '@playwright/test';

/** The API on which a page hears what others do. */
export interface LiveSocket {
  /** Ends the connection, and every one that is tried until it is mended. */
  readonly cut: () => void;
  /** Ends the connection, and refuses every one that is tried until it is mended, as a service does. */
  readonly refuse: (code: string) => void;
  readonly mend: () => void;
  /** Connections that the page has tried so far. */
  readonly tries: () => number;
}

/** Asked for before the page is opened. */
export async function liveSocket(page: Page): Promise<LiveSocket> {
  let isCut = false;
  let refusal: string | null = null;
  let tries = 0;
  let end = () => {};
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    tries += 1;
    if (isCut) return void socket.close();
    if (refusal !== null) return playService(socket, { type: REFUSED, says: { message: refusal } });
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
    refuse: (code) => {
      refusal = code;
      end();
    },
    mend: () => {
      isCut = false;
      refusal = null;
    },
    tries: () => tries,
  };
}

/**
 * The page hears nothing of what others do, and does not know it: one whose connection is not open asks now and then
 * for what it may have missed. Asked for before the page is opened.
 */
export async function deafen(page: Page): Promise<void> {
  await page.routeWebSocket(/\/socket\.io\//, (socket) =>
    playService(socket, { type: CONNECTED, says: { sid: 'deaf' } }),
  );
}

const CONNECTED = '40';
const REFUSED = '44';

/** Opens the connection, and answers what is to be joined on it: the packets of Engine.IO 4 and Socket.IO 5. */
function playService(socket: WebSocketRoute, { type, says }: { type: string; says: object }): void {
  const opening = { sid: 'played', upgrades: [], pingInterval: 3_600_000, pingTimeout: 20_000 };
  socket.send(`0${JSON.stringify({ ...opening, maxPayload: 2_048 })}`);
  socket.onMessage((packet) => {
    const [joins, namespace = ''] = /^40(\/\w+,)?/.exec(String(packet)) ?? [];
    if (joins !== undefined) socket.send(`${type}${namespace}${JSON.stringify(says)}`);
  });
}
