import { kindOfFile } from './files.ts';

/** Why a file of an accepted kind is refused; the service and the file pickers ask here. */
export type FileFault =
  'jsonBroken' | 'noTable' | 'tableFormula' | 'notUtf8' | 'pdfBroken' | 'pdfLocked';

/** What is wrong with a PDF or a text as a whole; null where nothing is found. */
export const faultOfFile = (kind: 'pdf' | 'text', bytes: Uint8Array): FileFault | null =>
  kind === 'pdf' ? faultOfPdf(bytes) : faultOfText(bytes);

/** Browsers and Node have it alike (WHATWG Encoding). */
declare const TextDecoder: new (
  label?: string,
  options?: { readonly fatal: boolean },
) => { decode: (bytes: Uint8Array) => string };

/** ISO 32000-2, 7.5: objects, a trailer, and the end of the file, which half a file does not have. */
function faultOfPdf(bytes: Uint8Array): FileFault | null {
  const text = new TextDecoder('latin1').decode(bytes);
  if (/\/Encrypt(?:\s+\d+\s+\d+\s+R|\s*<<)/.test(text)) return 'pdfLocked';
  return /\d\s+obj\b/.test(text) && text.includes('%%EOF') ? null : 'pdfBroken';
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
function faultOfText(bytes: Uint8Array): FileFault | null {
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'notUtf8';
  }
  if (/^\s*[[{]/.test(text)) return !CONTROL.test(text) && isJson(text) ? null : 'jsonBroken';
  if (text.trim() === '' || CONTROL.test(text) || /^\s*</.test(text)) return 'noTable';
  const lines = text.replace(/\r\n?/g, '\n');
  const faults = SEPARATORS.map((separator) => faultOfTable(lines, separator));
  if (faults.includes(null)) return null;
  return faults.includes('tableFormula') ? 'tableFormula' : 'noTable';
}

/** The media type of a text without a fault. */
export const textType = (bytes: Uint8Array): 'application/json' | 'text/csv' =>
  /^\s*[[{]/.test(new TextDecoder().decode(bytes)) ? 'application/json' : 'text/csv';

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
function faultOfTable(text: string, separator: string): 'noTable' | 'tableFormula' | null {
  const next = new RegExp(`[${separator}\\n]|$`, 'g');
  let [columns, cells, rowBegins] = [0, 0, 0];
  let hasFormula = false;
  for (let at = 0; at <= text.length;) {
    const isQuoted = text[at] === '"';
    let end = at;
    if (isQuoted) {
      do end = text.indexOf('"', end + 1);
      while (end !== -1 && text[end + 1] === '"' && ++end);
      if (end === -1) return 'noTable';
      end++;
    } else {
      next.lastIndex = at;
      end = next.exec(text)?.index ?? text.length;
    }
    const after = text[end];
    if (after !== separator && after !== '\n' && after !== undefined) return 'noTable';
    if (end - rowBegins > LONGEST_ROW) return 'noTable';
    hasFormula ||= FORMULA.test(isQuoted ? text.slice(at + 1, end - 1) : text.slice(at, end));
    cells++;
    at = end + 1;
    if (after === separator) continue;
    const isEmptyLine = cells === 1 && end === rowBegins;
    if (!isEmptyLine) {
      if (columns !== 0 && cells !== columns) return 'noTable';
      columns = cells;
    }
    [cells, rowBegins] = [0, at];
  }
  if (columns < 2) return 'noTable';
  return hasFormula ? 'tableFormula' : null;
}

/** Why a file is no CSV table of the clinic's, by its first bytes; null where it may be one. */
export function whyNoTable(head: Uint8Array): 'workbook' | 'notTable' | null {
  const first = [...head.subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  // ZIP (.xlsx, .ods, .numbers) and OLE (.xls)
  if (first === '504b0304' || first === 'd0cf11e0') return 'workbook';
  const isWide = /^(?:fffe|feff)/.test(first) || (head[1] === 0 && head[3] === 0);
  const kind = kindOfFile(head);
  if (isWide || (kind === null && head.length === 0)) return null;
  const isMarkup = /^\s*[<[{]/.test(new TextDecoder().decode(head));
  return (kind !== null && kind !== 'text') || isMarkup || head.includes(0) ? 'notTable' : null;
}
