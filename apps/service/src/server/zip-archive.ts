import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';

/** A ZIP that is put together in memory. */
export interface ZipArchive {
  addText(name: string, text: string): void;
  /** As they are: pictures and PDF are packed already. */
  addBytes(name: string, bytes: Uint8Array): void;
  end(): Uint8Array;
}

export function zipArchive(): ZipArchive {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    chunks.push(chunk);
  });
  const add = (entry: ZipDeflate | ZipPassThrough, bytes: Uint8Array) => {
    zip.add(entry);
    entry.push(bytes, true);
  };
  return {
    addText: (name, text) => add(new ZipDeflate(name), Buffer.from(text, 'utf8')),
    addBytes: (name, bytes) => add(new ZipPassThrough(name), bytes),
    end() {
      zip.end();
      return Buffer.concat(chunks);
    },
  };
}
