/** Files that a rule of tools/check-structure.mjs does not bind, each with the reason. */
export const exceptions = [
  {
    rule: 'sql',
    path: /^apps\/service\/src\/database\//,
    because: 'The engine, migrations and the invariants that an operator asks are SQL themselves.',
  },
];

/** What an old word may still mean. */
export const senses = [
  {
    word: 'claim',
    sense: /injury.?claims?|claim.?numbers?|vehicle.?claims?/gi,
    because: 'An ICBC claim.',
  },
  {
    word: 'letter',
    sense:
      /letters? and digits|capital letters?|\bletters?\b(?= of (the|a) (card|alphabet|word|code))/gi,
    because: 'A letter of the alphabet.',
  },
];
