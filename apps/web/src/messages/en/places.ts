/** Names of the provinces, and words of the fields that ask for a place. */
export const places = {
  'places.choose': 'Please choose',
  'places.province.AB': 'Alberta',
  'places.province.BC': 'British Columbia',
  'places.province.MB': 'Manitoba',
  'places.province.NB': 'New Brunswick',
  'places.province.NL': 'Newfoundland and Labrador',
  'places.province.NS': 'Nova Scotia',
  'places.province.NT': 'Northwest Territories',
  'places.province.NU': 'Nunavut',
  'places.province.ON': 'Ontario',
  'places.province.PE': 'Prince Edward Island',
  'places.province.QC': 'Quebec',
  'places.province.SK': 'Saskatchewan',
  'places.province.YT': 'Yukon',
  'places.province.Other': 'Other',
  'places.noCanadianCard': 'I Do Not Have A Canadian Healthcare Card',
} as const;
