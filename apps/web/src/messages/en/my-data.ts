/** Words of the export of a patient's own data. */
export const myData = {
  'myData.title': 'Download my data',
  'myData.what':
    'One ZIP file with everything this booking service keeps about you: your profile, your appointments, messages and files. It is not encrypted: keep it in a safe place.',
  'myData.download': 'Download my data',
  'myData.preparing': 'Preparing your data…',
  'myData.failed': "We couldn't download your data. Please try again later.",
  'myData.done': 'Your data has been downloaded.',
} as const;
