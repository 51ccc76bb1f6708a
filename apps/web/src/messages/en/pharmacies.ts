/** Words of the pharmacy picker. */
export const pharmacies = {
  'pharmacies.hint': 'Type at least 3 letters of its name, street or phone number.',
  'pharmacies.found':
    '{count, plural, =0 {No pharmacy found} one {# pharmacy found} other {# pharmacies found}}',
  'pharmacies.more': 'Showing the first {shown} of {count}. Type more to find yours.',
  'pharmacies.loading': 'Loading the pharmacies…',
  'pharmacies.failed': "We couldn't load the pharmacies.",
  'pharmacies.chosen': 'Chosen pharmacy',
  'pharmacies.clear': 'Remove this pharmacy',
  'pharmacies.list': 'Pharmacies found',
  'pharmacies.phone': 'Phone {phone}',
} as const;
