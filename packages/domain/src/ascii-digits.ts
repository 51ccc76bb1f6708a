const DIGIT = /\p{Nd}/u;

/** The text with the digits of every script as 0 to 9: Arabic, Devanagari, full-width and the like. */
export function asciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => {
    // Unicode encodes the digits of a script in a row, from 0 to 9.
    const point = digit.codePointAt(0) ?? 0;
    let before = 0;
    while (DIGIT.test(String.fromCodePoint(point - 1 - before))) before += 1;
    return String(before % 10);
  });
}
