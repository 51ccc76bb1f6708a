/** Words of the suggestion dialog. */
export const suggestion = {
  'suggestion.open': 'Suggest an improvement',
  'suggestion.title': 'Suggest an improvement',
  'suggestion.taking': 'Taking a picture of the page…',
  'suggestion.text': 'Your suggestion',
  'suggestion.placeholder':
    'Tell us what we could do better. We read every suggestion, but we do not reply to them.',
  'suggestion.picture': 'This picture of the page will be sent too, with your details hidden:',
  'suggestion.pictureAlt': 'The page as it looks now, with your details hidden',
  'suggestion.withPicture': 'Send the picture too',
  'suggestion.noPicture':
    "We couldn't take a picture of the page. Your suggestion will be sent without one.",
  'suggestion.submit': 'Submit',
  'suggestion.sending': 'Sending…',
  'suggestion.empty':
    'Please enter text in the text box below to explain the suggestion you have for us. Then click the Submit button. Thanks.',
  'suggestion.thanks': 'Thank you for your suggestion.',
} as const;
