/** The environment does not say what it must; the sentence tells the operator what to do (S-16). */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Start {
  readonly host: string;
  readonly port: number;
  readonly publicUrl: string;
}

/** HOST, PORT and PUBLIC_URL. */
export function readStart(env: Environment): Start {
  const host = env.HOST ?? '127.0.0.1';
  const port = Number(env.PORT ?? 3000);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new StartRefused(`PORT must be a number from 0 to 65535, not '${env.PORT}'.`);
  const publicUrl = (env.PUBLIC_URL ?? `http://${host}:${port}`).replace(/\/+$/, '');
  if (!URL.canParse(publicUrl) || !/^https?:/.test(publicUrl))
    throw new StartRefused(`PUBLIC_URL must be an http(s) address, not '${publicUrl}'.`);
  return { host, port, publicUrl };
}

/** Epoch seconds of an ISO instant with Z or an offset. */
export function readInstant(name: string, text: string): number {
  const written = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const milliseconds = written ? new Date(text).getTime() : Number.NaN;
  if (Number.isNaN(milliseconds))
    throw new StartRefused(
      `${name} must be an instant such as 2026-12-15T20:00:00Z, not '${text}'.`,
    );
  return Math.floor(milliseconds / 1000);
}
