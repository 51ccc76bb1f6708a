/** Stands in every file that could run something; nothing that is kept may contain it. */
export const SCRIPT = 'document.documentElement.dataset.ran="yes"';

type RefusalOfFile = 'imageNotReadable' | 'fileNotAccepted' | 'tooLarge';

export interface HostileFile {
  /** What it is, as a sentence's object: 'a GIF with an archive behind it'. */
  readonly what: string;
  /** What it pretends to be. */
  readonly name: string;
  /** Refused with a code, or kept as this media type after all that could harm was taken out. */
  readonly outcome:
    { readonly refused: RefusalOfFile } | { readonly keptAs: string; readonly size?: string };
  readonly make: () => Uint8Array | Promise<Uint8Array>;
}

export const refusedAs =
  (refused: RefusalOfFile) =>
  (what: string, name: string, make: HostileFile['make']): HostileFile => ({
    what,
    name,
    outcome: { refused },
    make,
  });

export const keptAs =
  (mediaType: string, size?: string) =>
  (what: string, name: string, make: HostileFile['make']): HostileFile => ({
    what,
    name,
    outcome: { keptAs: mediaType, ...(size === undefined ? {} : { size }) },
    make,
  });

export const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
export const page = `<!doctype html><html><body><script>${SCRIPT}</script></body></html>`;
