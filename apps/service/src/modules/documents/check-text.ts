import { parse } from 'csv-parse/sync';

const DEEPEST_JSON = 100;
const MOST_CONTAINERS = 300_000;
/** Of a table, in UTF-16 units. */
const LONGEST_ROW = 256 * 1024;
const SEPARATORS = [',', ';', '\t'] as const;
/** A spreadsheet would run these cells. */
const FORMULA = /^\s*[=@|%]|^\s*[+-](?![\d.,\s]*$)/;

/** JSON must parse, CSV must be a table in UTF-8; a page of markup or plain words is neither. */
export function checkText(bytes: Uint8Array): 'application/json' | 'text/csv' | null {
  const text = decoded(bytes);
  if (text === null || text.trim() === '' || hasControls(text)) return null;
  if (/^\s*[[{]/.test(text)) return isJson(text) ? 'application/json' : null;
  if (/^\s*</.test(text)) return null;
  return isTable(text) ? 'text/csv' : null;
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x7f || (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d))
      return true;
  }
  return false;
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

/** Few enough lists and objects, not too deep: parsing takes no more memory than the text's few times. */
function isModest(json: string): boolean {
  const { deepest, opened } = bracketsOf(json);
  return deepest <= DEEPEST_JSON && opened <= MOST_CONTAINERS;
}

/** How deep the lists and objects of a JSON text nest and how many there are, without building any. */
function bracketsOf(json: string): { readonly deepest: number; readonly opened: number } {
  let depth = 0;
  let deepest = 0;
  let opened = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      opened++;
      deepest = Math.max(deepest, ++depth);
    } else if (char === '}' || char === ']') depth--;
  }
  return { deepest, opened };
}

/** RFC 4180: at least two columns, the same in every row, no cell that is a formula. */
const isTable = (text: string): boolean =>
  SEPARATORS.some((delimiter) => {
    let columns = 0;
    try {
      // A row that has been looked at is dropped, so that a large table takes no more memory than its text.
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
