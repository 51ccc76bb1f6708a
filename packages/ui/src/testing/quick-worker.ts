/** A worker for jsdom, which has none: every challenge is solved at once. */
export class QuickWorker {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: (() => void) | null = null;

  postMessage(message: { counterStart: number }): void {
    queueMicrotask(() =>
      this.onmessage?.({ data: { counter: message.counterStart, derivedKey: '00' } }),
    );
  }

  terminate(): void {
    this.onmessage = null;
  }
}
