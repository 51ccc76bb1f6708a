/** What a text file is, if it is one that the clinic takes. */
export type CheckedText = 'application/json' | 'text/csv' | null;

const DEEPEST_JSON = 100;
const SEPARATORS = [',', ';', '\t'] as const;
/** A spreadsheet would run these cells. */
const FORMULA = /^\s*[=@|%]|^\s*[+-](?![\d.,\s]*$)/;

/** JSON must parse, CSV must be a table in UTF-8; a page of markup or plain words is neither. */
export function checkText(bytes: Uint8Array): CheckedText {
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
  let depth = 0;
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (mark === '[' || mark === '{') depth++;
    if (mark === ']' || mark === '}') depth--;
    if (depth > DEEPEST_JSON) return false;
  }
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** At least two columns, the same in every row. */
function isTable(text: string): boolean {
  return SEPARATORS.some((separator) => {
    const rows = rowsOf(text, separator);
    const columns = rows?.[0]?.length ?? 0;
    return (
      rows !== null &&
      columns > 1 &&
      rows.every((row) => row.length === columns && !row.some((cell) => FORMULA.test(cell)))
    );
  });
}

/** RFC 4180; null where a quote stays open. */
function rowsOf(text: string, separator: string): string[][] | null {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  const endCell = () => {
    row.push(cell);
    cell = '';
  };
  const endRow = () => {
    endCell();
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') cell += text[++at] ?? '';
      else quoted = false;
    } else if (char === '"' && cell === '') quoted = true;
    else if (char === separator) endCell();
    else if (char === '\n') endRow();
    else if (char !== '\r') cell += char;
  }
  endRow();
  return quoted ? null : rows;
}
