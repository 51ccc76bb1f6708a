/** Words of the file picker and of the documents' dialogs. */
export const files = {
  'files.choose': 'Choose files',
  'files.photo': 'Take a photo',
  'files.drop': 'or drop them here',
  'files.limits':
    '{kinds}. Up to {most, plural, one {# file} other {# files}}, {megabytes} MB each.',
  'files.chosen': 'Chosen files',
  'files.count': '{count, plural, =0 {No file chosen} one {# file chosen} other {# files chosen}}',
  'files.kilobytes': '{size} KB',
  'files.megabytes': '{size} MB',
  'files.remove': 'Remove',
  'files.removeNamed': 'Remove {name}',
  'files.preview': 'Preview of {name}',
  'files.uploading': 'Uploading… {percent}%',
  'files.checking': 'Checking your files…',

  'files.tooMany': 'You can only attach maximum of 3 files',
  'files.heic': 'Please upload another type of image such as JPEG, JPG or PNG',
  'files.refused': '{name}: {why}',
  'files.missing': 'Pleae choose your file to upload',
  'files.failed': 'Uploading file failed.',
  'files.tooLarge': '{name} is larger than {megabytes} MB.',
  'files.empty': '{name} is empty.',
  'files.wrongKind': "{name} can't be attached. Please choose: {kinds}.",
  'files.twice': '{name} is already chosen.',
  'files.unreadable': "We couldn't read {name}. Please choose it again.",
  'files.kept': 'Your files are still here.',

  'files.healthCardTitle': 'Step 1: Upload your health card',
  'files.healthCardIntro':
    'The clinic needs a picture of your health card before this appointment. Include both sides if there is anything on the back.',
  'files.healthCardLabel': 'Health card',
  'files.pictureIdTitle': 'Step 2: Upload your picture ID',
  'files.pictureIdIntro':
    "The clinic needs a picture of an ID that shows your photo and your name, such as a driver's licence or a passport.",
  'files.pictureIdLabel': 'Picture ID',
  'files.sealed': 'It is stored encrypted, and only the clinic sees it.',
  'files.upload': 'Upload',
  'files.uploadingNow': 'Uploading…',
  'files.cancel': 'Cancel',
} as const;
