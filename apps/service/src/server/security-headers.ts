/** S-9: headers of every answer, and those that depend on what is answered. */
export interface HeaderSettings {
  readonly https: boolean;
  /** Whose card form the payment step shows. */
  readonly cardForm: 'stripe' | 'practice' | null;
  /** Whose check for bots the forms show. */
  readonly captcha?: 'altcha' | 'recaptcha';
}

/** https://docs.stripe.com/security/guide#content-security-policy */
const STRIPE = {
  script: ' https://js.stripe.com https://*.js.stripe.com',
  connect: ' https://api.stripe.com',
  frame: ' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
};
/** https://developers.google.com/recaptcha/docs/faq */
const RECAPTCHA = {
  script: ' https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
  connect: ' https://www.google.com/recaptcha/',
  frame: ' https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/',
};
const NOBODY = { script: '', connect: '', frame: '' };

export function securityHeaders(settings: HeaderSettings): Readonly<Record<string, string>> {
  return {
    'content-security-policy': contentSecurityPolicy(settings),
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy':
      'accelerometer=(), camera=(), display-capture=(self), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), payment=(), usb=()',
    'x-permitted-cross-domain-policies': 'none',
    'origin-agent-cluster': '?1',
  };
}

function contentSecurityPolicy({ https, cardForm, captcha }: HeaderSettings): string {
  const card = cardForm === 'stripe' ? STRIPE : NOBODY;
  const bots = captcha === 'recaptcha' ? RECAPTCHA : NOBODY;
  const frame = `${card.frame}${bots.frame}`;
  return [
    "default-src 'none'",
    `script-src 'self'${card.script}${bots.script}`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${card.connect}${bots.connect}`,
    ...(frame === '' ? [] : [`frame-src${frame}`]),
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(https ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

export const NO_STORE = 'no-store';
/** Assets carry a hash of their content in their name. */
export const FOR_EVER = 'public, max-age=31536000, immutable';
