import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** A ZIP of one file. */
export function zipOf(name: string, content: Uint8Array): Buffer {
  const packed = deflateRawSync(content);
  const path = Buffer.from(name);
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0);
  shared.writeUInt16LE(8, 4);
  shared.writeUInt32LE(crc32(content), 10);
  shared.writeUInt32LE(packed.length, 14);
  shared.writeUInt32LE(content.length, 18);
  shared.writeUInt16LE(path.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), shared, path, packed]);
  const entry = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\0', 'latin1'),
    shared,
    Buffer.alloc(14),
    path,
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(entry.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, entry, end]);
}

/** Some hundred kilobytes that are a hundred megabytes once unpacked. */
export const zipBomb = (): Buffer => zipOf('zeros.csv', Buffer.alloc(100 * 1024 * 1024));

export const gzipOf = (text: string): Buffer => gzipSync(text);
