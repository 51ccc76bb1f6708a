/** What a message says: trimmed, with plain line ends. Empty is none (§5 as for suggestions). */
export function messageText(written: string): string | null {
  const text = written.replaceAll('\r\n', '\n').trim();
  return text === '' ? null : text;
}

const SUMMARY_LENGTH = 140;

/** The beginning of a text on one line, in whole characters. */
export function beginningOf(text: string): string {
  const characters = Array.from(text.replaceAll(/\s+/g, ' '));
  return characters.length <= SUMMARY_LENGTH
    ? characters.join('')
    : `${characters.slice(0, SUMMARY_LENGTH - 1).join('')}…`;
}
