import type { PracticeClinic } from './open-practice-clinic.ts';

/** What the process that started this one asks for: the environment of a clinic, or its end. */
type Asked = Readonly<Record<string, string>> | 'close';

/** What it is told. */
type Answered =
  | { readonly ready: { readonly url: string; readonly daySheet: string | null } }
  | { readonly failed: string }
  | 'closed';

interface Opened {
  readonly clinic: PracticeClinic;
  readonly start: { readonly host: string; readonly port: number };
}

/**
 * Opens one clinic after another for the process that started this one, as to start a process and to warm it up
 * costs more than a clinic. Ends with that process.
 */
export function openInTurn(
  open: (asked: Readonly<Record<string, string>>) => Promise<Opened>,
): void {
  let close: () => Promise<void> = () => Promise.resolve();
  const answer = async (asked: Asked): Promise<Answered> => {
    if (asked === 'close') {
      await close();
      return 'closed';
    }
    const { clinic, start } = await open(asked);
    close = async () => {
      clinic.app.server.closeAllConnections();
      await clinic.app.close();
      await clinic.close();
    };
    const url = await clinic.app.listen(start);
    return { ready: { url, daySheet: clinic.daySheet } };
  };
  process.on('message', (asked: Asked) => {
    void answer(asked)
      .catch((error: unknown): Answered => ({ failed: String(error) }))
      .then((answered) => process.send?.(answered));
  });
  process.on('disconnect', () => process.exit());
}
