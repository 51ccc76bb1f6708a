/** Words of the pharmacy picker. */
export const pharmacies = {
  'pharmacies.hint': 'Type at least 3 letters of its name, street or phone number.',
  'pharmacies.found':
    '{count, plural, =0 {No pharmacy found} one {# pharmacy found} other {# pharmacies found}}',
  'pharmacies.more': 'The first {shown} of {count} are shown. Type more to find yours.',
  'pharmacies.loading': 'Loading the pharmacies…',
  'pharmacies.failed': 'The pharmacies could not be loaded.',
  'pharmacies.chosen': 'Chosen pharmacy',
  'pharmacies.clear': 'Remove this pharmacy',
  'pharmacies.list': 'Pharmacies found',
  'pharmacies.phone': 'Phone {phone}',
} as const;
