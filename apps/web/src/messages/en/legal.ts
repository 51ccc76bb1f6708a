/** Words around the legal texts. */
export const legal = {
  'legal.draft': "Draft for the clinic's counsel.",
  'legal.version': 'Version {version}.',
  'legal.englishHolds':
    'This is a translation. If it differs from the English text, the English text prevails.',
  'legal.inEnglish': 'Read the English text',
} as const;
