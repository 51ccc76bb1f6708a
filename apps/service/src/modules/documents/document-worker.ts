import { isUtf8 } from 'node:buffer';
import { parentPort, workerData } from 'node:worker_threads';
import { parse } from 'csv-parse/sync';
import type { AcceptedFile } from './accept-files.ts';

/** This file runs in a thread of its own, which is ended when it takes too much time or memory. */
const { bytes, kind } = workerData as {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly kind: 'pdf' | 'text';
};

async function check(): Promise<AcceptedFile | null> {
  if (kind === 'pdf') {
    // Loaded only for PDFs, because it is large.
    const { checkPdf } = await import('./check-pdf.ts');
    const written = await checkPdf(bytes);
    return written && { mediaType: 'application/pdf', bytes: written };
  }
  const mediaType = checkText();
  return mediaType && { mediaType, bytes };
}

const DEEPEST_JSON = 100;
const MOST_CONTAINERS = 300_000;
/** The longest row of a table, in UTF-16 units. */
const LONGEST_ROW = 256 * 1024;
const SEPARATORS = [',', ';', '\t'] as const;
/** ASCII control characters except tab, line feed and carriage return. */
const CONTROL = /(?![\t\n\r\u0080-\u009f])\p{Cc}/u;
/** Cells that a spreadsheet would run as formulas. */
const FORMULA = /^\s*[=@|%]|^\s*[+-](?![\d.,\s]*$)/;

/** JSON must parse, CSV must be a table in UTF-8; a page of markup or plain words is neither. */
function checkText(): 'application/json' | 'text/csv' | null {
  if (!isUtf8(bytes)) return null;
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === '' || CONTROL.test(text)) return null;
  if (/^\s*[[{]/.test(text)) return isJson(text) ? 'application/json' : null;
  if (/^\s*</.test(text)) return null;
  return isTable(text) ? 'text/csv' : null;
}

function isJson(text: string): boolean {
  if (!isModest(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** True when lists and objects are few and not too deep: parsing then takes a few times the text's memory. */
function isModest(json: string): boolean {
  let depth = 0;
  let opened = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '}' || char === ']') depth--;
    else if (char === '{' || char === '[')
      if (++depth > DEEPEST_JSON || ++opened > MOST_CONTAINERS) return false;
  }
  return true;
}

/** RFC 4180: at least two columns, the same in every row, no cell that is a formula. */
const isTable = (text: string): boolean =>
  SEPARATORS.some((delimiter) => {
    let columns = 0;
    try {
      // Each row is dropped after its check, so that a large table takes no more memory than its text.
      parse(text, {
        delimiter,
        record_delimiter: ['\r\n', '\n'],
        relax_quotes: true,
        skip_empty_lines: true,
        max_record_size: LONGEST_ROW,
        on_record: (cells: readonly string[]) => {
          if (cells.some((cell) => FORMULA.test(cell))) throw new Error('A formula');
          columns = cells.length;
          return null;
        },
      });
    } catch {
      return false;
    }
    return columns > 1;
  });

parentPort?.postMessage(await check());
