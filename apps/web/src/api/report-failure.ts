import { callService } from './service.ts';

/**
 * Tells the service of a failure in the browser: by the error's name alone, for its message may
 * hold what a patient wrote. Nobody waits for it, and it may be lost.
 */
export function reportFailure(name: string): void {
  callService('saveError', { body: { err: name } }, { background: true }).catch(() => undefined);
}

/** Reports what nobody caught. */
export function reportUncaught(): void {
  window.addEventListener('error', ({ error }: ErrorEvent) => reportFailure(nameOf(error)));
  window.addEventListener('unhandledrejection', ({ reason }) => reportFailure(nameOf(reason)));
}

const nameOf = (thrown: unknown) => (thrown instanceof Error ? thrown.name : 'UnknownError');
