/** Files that are exempt from a rule of tools/check-structure.mjs, each with the reason. */
export const exceptions = [
  {
    rule: 'table',
    path: /^apps\/practice\/src\//,
    because: 'The practice clinic plays the outside world and fills its tables itself.',
  },
  {
    rule: 'table',
    path: /^apps\/service\/src\/database\/invariants/,
    because: 'An invariant holds between the tables of several owners.',
  },
  {
    rule: 'copy',
    path: /^apps\/service\/src\/database\/invariants/,
    because: 'An invariant compares the copy with the payments, as instances of 0.2.0 read it.',
  },
  {
    rule: 'copy',
    path: /^apps\/practice\/src\/seed\.ts$/,
    because: 'A seeded appointment has its copy from the list of what to seed.',
  },
  {
    rule: 'sql',
    path: /^apps\/service\/src\/database\//,
    because: 'The engines, the migrations and the invariants are SQL themselves.',
  },
  {
    rule: 'sql',
    path: /^apps\/practice\/src\//,
    because: 'The practice clinic plays the outside world and fills its tables itself.',
  },
  {
    rule: 'circle',
    path: /^packages\/oscar\/fake\/(page|server)\.ts$/,
    because: 'The page shows and switches whatever the fake server has.',
  },
];

/** Meanings in which a forbidden word may be used, in the files of `path` or everywhere. */
export const senses = [
  {
    word: 'claim',
    sense: /injury[\s-]?claims?|claim[\s-]?numbers?|vehicle[\s-]?claims?/gi,
    because: 'The claim of an injured patient with ICBC.',
  },
  {
    word: 'letter',
    sense:
      /letters?( and | or |, )digits|letters?AndDigits|letter for letter|letters of any script/gi,
    because: 'A letter of the alphabet.',
  },
  {
    word: 'letter',
    path: /^packages\/domain\/src\/(identity|fees|booking)\/|features\/(sign-up|booking\/confirm\/answers)|accounts\/password/,
    sense: /letters?/gi,
    because: 'The letters of a card number, of an eligibility and of a slot code.',
  },
  {
    word: 'letter',
    path: /^packages\/oscar\//,
    sense: /letters?/gi,
    because: 'The letters of a status.',
  },
  {
    word: 'letter',
    path: /service\/src\/server\/(csv-import|sheet-values)\.ts$/,
    sense: /letters?/gi,
    because: 'The letters of a text in a table.',
  },
  {
    word: 'cell',
    path: /service\/src\/server\/(csv-import|sheet-values|table-)|domain\/src\/file-faults/,
    sense: /cells?/gi,
    because: 'The cells of a spreadsheet.',
  },
  {
    word: 'cell',
    path: /^packages\/ui\/src\/calendar/,
    sense: /cells?/gi,
    because: "The cells of a calendar's grid.",
  },
];
