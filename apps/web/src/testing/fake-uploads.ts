import { act } from '@testing-library/react';
import { afterEach } from 'vitest';

/** One upload as the page sent it; the test says how it goes on. */
export interface FakeUpload {
  readonly call: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly form: FormData;
  readonly aborted: () => boolean;
  progress(sent: number): void;
  answer(status: number, body: unknown): void;
  /** The connection breaks. */
  cut(): void;
}

const real = globalThis.XMLHttpRequest;
afterEach(() => {
  globalThis.XMLHttpRequest = real;
});

/** Uploads of the page end here; they wait for the test, in the order in which they were sent. */
export function fakeUploads(): readonly FakeUpload[] {
  const uploads: FakeUpload[] = [];
  class FakeRequest extends EventTarget {
    readonly upload = new EventTarget();
    status = 0;
    responseText = '';
    #call = '';
    #headers: Record<string, string> = {};
    #aborted = false;

    open(method: string, url: string) {
      this.#call = `${method} ${url.replace('/api', '')}`;
    }
    setRequestHeader(name: string, value: string) {
      this.#headers[name] = value;
    }
    abort() {
      this.#aborted = true;
      this.dispatchEvent(new Event('loadend'));
    }
    send(form: FormData) {
      const end = () => act(() => void this.dispatchEvent(new Event('loadend')));
      uploads.push({
        call: this.#call,
        headers: this.#headers,
        form,
        aborted: () => this.#aborted,
        progress: (sent) =>
          act(() => {
            const event = new ProgressEvent('progress', { loaded: sent * 100, total: 100 });
            this.upload.dispatchEvent(event);
          }),
        answer: (status, body) => {
          this.status = status;
          this.responseText = JSON.stringify(body);
          end();
        },
        cut: end,
      });
    }
  }
  globalThis.XMLHttpRequest = FakeRequest as unknown as typeof XMLHttpRequest;
  return uploads;
}
