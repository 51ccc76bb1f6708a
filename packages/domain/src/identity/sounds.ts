// The Daitch-Mokotoff soundex: names that sound alike have a code in common, however they are spelt. It is
// made for names of Central and Eastern Europe, and serves those of the west as well.

/**
 * Letters, and their codes: at the beginning of a name, before a vowel, and anywhere else; - is silent. Letters
 * that may be read in two ways have the codes of both, after a |.
 */
const READINGS =
  'AI AJ AY 0 1 -, AU 0 7 -, A 0 - -, B 7 7 7, CHS 5 54 54, CH 5 5 5 | 4 4 4, CK 5 5 5 | 45 45 45, ' +
  'CZ CS CSZ CZS 4 4 4, C 5 5 5 | 4 4 4, DRZ DRS DS DSH DSZ DZ DZH DZS 4 4 4, D DT 3 3 3, EI EJ EY 0 1 -, ' +
  'EU 1 1 -, E 0 - -, FB F 7 7 7, G 5 5 5, H 5 5 -, IA IE IO IU 1 - -, I 0 - -, J 1 - - | 4 4 4, ' +
  'KS 5 54 54, KH K 5 5 5, L 8 8 8, MN NM 66 66 66, M N 6 6 6, OI OJ OY 0 1 -, O 0 - -, P PF PH 7 7 7, ' +
  'Q 5 5 5, RZ RS 94 94 94 | 4 4 4, R 9 9 9, SCHTSCH SCHTSH SCHTCH SHTCH SHCH SHTSH 2 4 4, SCH SH 4 4 4, ' +
  'SHT SCHT SCHD ST SZT SHD SZD SD 2 43 43, STCH STSCH SC STRZ STRS STSH SZCZ SZCS 2 4 4, SZ S 4 4 4, ' +
  'TCH TTCH TTSCH TRZ TRS TSCH TSH TS TTS TTSZ TC TZ TTZ TZS TSZ 4 4 4, TH T 3 3 3, UI UJ UY UE 0 1 -, ' +
  'U 0 - -, V W 7 7 7, X 5 54 54, Y 1 - -, ZDZ ZDZH ZHDZH 2 4 4, ZD ZHD 2 43 43, ZH ZS ZSCH ZSH Z 4 4 4';

/** The codes at the beginning, before a vowel, and anywhere else. */
type Reading = readonly string[];

const readings: ReadonlyMap<string, readonly Reading[]> = new Map(
  READINGS.split(', ').flatMap((rule) => {
    const letters = rule.match(/[A-Z]+/g) ?? [];
    const codes = rule.split('|').map((reading) => reading.match(/[-\d]+/g) ?? []);
    return letters.map((each) => [each.toLowerCase(), codes] as const);
  }),
);
const LONGEST = Math.max(...[...readings.keys()].map((letters) => letters.length));

const DIGITS = 6;

const isVowel = (reading: Reading | undefined): boolean => /^[01]/.test(reading?.[0] ?? '');

/** What was coded last of a name, for a code that it may have as far as it was read. */
interface Ending {
  /** Digits that may have been last; '-' for silence. */
  readonly digits: Set<string>;
  /** Whether what comes next was taken for a vowel. */
  readonly vowels: Set<boolean>;
}

/** The codes of a folded word; none where it has no Latin letter. */
export function soundsOf(word: string): readonly string[] {
  const sequence = sequenceOf(word.replace(/[^a-z]/g, ''));
  if (sequence.length === 0) return [];
  const whole = new Set<string>();
  let open = new Map<string, Ending>([['', { digits: new Set(), vowels: new Set() }]]);
  for (const [at, now] of sequence.entries()) {
    const next = new Map<string, Ending>();
    for (const [code, ending] of open)
      for (const reading of now)
        for (const following of sequence[at + 1] ?? [undefined]) {
          if (ending.vowels.size > 0 && !ending.vowels.has(isVowel(reading))) continue;
          const before = isVowel(following);
          const digits = reading[at === 0 ? 0 : before ? 1 : 2] ?? '-';
          for (const coded of added(code, digits, ending.digits)) {
            if (coded.length >= DIGITS) whole.add(coded.slice(0, DIGITS));
            else {
              const into = next.get(coded) ?? { digits: new Set(), vowels: new Set() };
              into.digits.add(digits.slice(-1));
              into.vowels.add(before);
              next.set(coded, into);
            }
          }
        }
    open = next;
  }
  return [...new Set([...whole, ...[...open.keys()].map((code) => code.padEnd(DIGITS, '0'))])];
}

/** What becomes of a code: a digit that is the same as the one before is not added again. */
function added(code: string, digits: string, before: ReadonlySet<string>): string[] {
  if (digits === '-') return [code];
  const [first = '', ...rest] = digits;
  const isSame = before.has(first);
  const isOther = !isSame || before.size > 1;
  const more = rest.join('');
  return [...(isSame ? [code + more] : []), ...(isOther ? [code + first + more] : [])];
}

/** The readings of the word's letters, as many letters together as have a code. */
function sequenceOf(word: string): (readonly Reading[])[] {
  const sequence: (readonly Reading[])[] = [];
  for (let at = 0; at < word.length;) {
    let length = LONGEST;
    while (!readings.has(word.slice(at, at + length))) length--;
    sequence.push(readings.get(word.slice(at, at + length)) ?? []);
    at += length;
  }
  return sequence;
}
