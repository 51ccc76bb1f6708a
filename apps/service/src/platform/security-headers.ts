/** S-9: headers of every answer, and those that depend on what is answered. */
export interface HeaderSettings {
  readonly https: boolean;
}

export function securityHeaders({ https }: HeaderSettings): Readonly<Record<string, string>> {
  return {
    'content-security-policy': contentSecurityPolicy(https),
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

function contentSecurityPolicy(https: boolean): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
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
