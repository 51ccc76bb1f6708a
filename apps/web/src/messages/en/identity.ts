/** Words of the fields and forms with which people say who they are. */
export const identity = {
  'identity.birthDate': 'Date of Birth',
  'identity.phone.area': 'Area code',
  'identity.phone.exchange': 'Next 3',
  'identity.phone.line': 'Last 4',

  'identity.email': 'Email',
  'identity.emailMissing': 'Please enter your email address.',
  'identity.resendTitle': 'The link from our email',
  'identity.resendIntro':
    "If we mailed a link to your address that is still valid, we'll send it there again.",
  'identity.resend': 'Send the link again',
  'identity.resending': 'Sending…',
  'identity.resent':
    'If there is a valid link for {email}, it is on the way. Check your inbox and your junk folder.',
  'identity.resendFailed': "We couldn't send the link. Please try again.",
  'identity.pasteLink': 'The link from the email',
  'identity.pasteHint': 'Copy the link, or the whole email, and paste it here.',
  'identity.pasteOpen': 'Open the link',
  'identity.pasteNone':
    'There is no whole link of ours in this. Please copy the link, or the whole email, once more.',
  'identity.pasteSeveral':
    'There are several links in this. Please paste only the one for the form that you filled in.',
  'identity.pasteSame': 'This is the link that is open here already.',
  'identity.resendUnknown':
    'We could not reach the clinic. The link may be on its way: please check your email before you try again.',
} as const;
