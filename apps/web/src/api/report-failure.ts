import { callService } from './service.ts';

/**
 * Reports a failure in the browser to the service, by the error's name only, as its message may
 * contain what a patient wrote. Nobody waits for the report, and it may be lost.
 */
export function reportFailure(name: string): void {
  callService('saveError', { body: { err: name } }, { background: true }).catch(() => undefined);
}

/** Reports uncaught errors and rejections. */
export function reportUncaught(): void {
  window.addEventListener('error', ({ error }: ErrorEvent) => reportFailure(nameOf(error)));
  window.addEventListener('unhandledrejection', ({ reason }) => reportFailure(nameOf(reason)));
}

const nameOf = (thrown: unknown) => (thrown instanceof Error ? thrown.name : 'UnknownError');
