import { deflateSync } from 'node:zlib';
import { SCRIPT } from './hostile-file.ts';

interface PdfParts {
  /** Joined to the catalog: `/OpenAction 9 0 R`. */
  readonly catalog?: string;
  /** Joined to the only page. */
  readonly page?: string;
  /** Objects from number 4 on. */
  readonly more?: readonly string[];
  readonly trailer?: string;
  /** Objects 4 and on come packed in a stream. */
  readonly packed?: boolean;
}

const CONTENT = 'BT /F1 24 Tf 72 700 Td (A health card) Tj ET';
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

/** A PDF of one page, with what is added to it. */
export function pdf({ catalog = '', page = '', more = [], trailer = '', packed }: PdfParts = {}) {
  const first = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 100 0 R /Resources << /Font << /F1 101 0 R >> >> ${page} >>`,
  ];
  const plain = new Map<number, string>([
    ...first.map((body, at): [number, string] => [at + 1, body]),
    ...(packed ? [] : more.map((body, at): [number, string] => [at + 4, body])),
    [100, streamOf('', CONTENT)],
    [101, FONT],
    ...(packed ? ([[102, objectStream(more)]] as const) : []),
  ]);
  return write(plain, trailer);
}

export const streamOf = (dict: string, content: string | Buffer): string => {
  const body = Buffer.from(content as string, 'latin1');
  return `<< ${dict} /Length ${body.length} >>\nstream\n${body.toString('latin1')}\nendstream`;
};

function objectStream(bodies: readonly string[]): string {
  let at = 0;
  const heads = bodies.map((body, index) => {
    const head = `${index + 4} ${at}`;
    at += body.length + 1;
    return head;
  });
  const head = `${heads.join(' ')} `;
  const data = deflateSync(Buffer.from(`${head}${bodies.join(' ')} `, 'latin1'));
  return streamOf(
    `/Type /ObjStm /N ${bodies.length} /First ${head.length} /Filter /FlateDecode`,
    data,
  );
}

/** A stream of objects that unpacks to a gigabyte. */
export const pdfBomb = (): Buffer => {
  const zeros = deflateSync(Buffer.alloc(64 * 1024 * 1024, 0x20), { level: 9 });
  const twice = deflateSync(Buffer.concat(Array.from({ length: 16 }, () => zeros)), { level: 9 });
  const bomb = streamOf(
    '/Type /ObjStm /N 1 /First 4 /Filter [/FlateDecode /FlateDecode]',
    Buffer.from(twice),
  );
  return write(
    new Map([
      [1, '<< /Type /Catalog /Pages 2 0 R >>'],
      [2, '<< /Type /Pages /Kids [] /Count 0 >>'],
      [3, bomb],
      [4, streamOf('/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode', zeros)],
    ]),
    '',
  );
};

function write(objects: ReadonlyMap<number, string>, trailer: string): Buffer {
  let text = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n';
  const offsets = new Map<number, number>();
  for (const [number, body] of objects) {
    offsets.set(number, text.length);
    text += `${number} 0 obj\n${body}\nendobj\n`;
  }
  const xref = text.length;
  text += 'xref\n0 1\n0000000000 65535 f \n';
  for (const [number, offset] of offsets)
    text += `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`;
  text += `trailer\n<< /Size 200 /Root 1 0 R ${trailer} >>\nstartxref\n${xref}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** A later version of the same file, which replaces its catalog. */
export function updated(bytes: Buffer, catalog: string): Buffer {
  const text = bytes.toString('latin1');
  const at = text.length;
  const object = `1 0 obj\n<< /Type /Catalog /Pages 2 0 R ${catalog} >>\nendobj\n`;
  const xref = `xref\n1 1\n${String(at).padStart(10, '0')} 00000 n \n`;
  const before = text.lastIndexOf('xref\n0 1');
  const trailer = `trailer\n<< /Size 200 /Root 1 0 R /Prev ${before} >>\n`;
  const tail = `${xref}${trailer}startxref\n${at + object.length}\n%%EOF\n`;
  return Buffer.from(`${text}${object}${tail}`, 'latin1');
}

export const RUNS = `<< /S /JavaScript /JS (${SCRIPT}) >>`;
