import { z } from 'zod';
import { call } from './call.ts';
import { text } from './api-types.ts';

export const captchaChallenge = call('captchaChallenge', {
  summary: 'A proof-of-work challenge for the self-hosted captcha.',
  section: 'S-6 (ours)',
  limit: 'reads',
  idempotency: 'natural',
  answer: z.looseObject({}),
});

export const login = call('login', {
  summary: 'Sign in with e-mail and password.',
  section: '§5 Login, §7, R-3, R-60',
  limit: 'shared',
  idempotency: 'none',
  body: z.strictObject({
    method: z.literal('email'),
    email: text(254).min(1),
    password: text(128).min(1),
    recaptcha: text(8192).min(1),
  }),
  answer: z.object({
    success: z.literal(true),
    extras: z.object({ accessToken: z.string(), message: z.string() }),
  }),
  refusals: [401, 403],
});

export const logout = call('logout', {
  summary:
    'End this session everywhere it is used; a slot in hand is given back unless it is kept.',
  section: 'R-3, R-30 (ours)',
  limit: 'changes',
  idempotency: 'natural',
  query: z.object({ hold: z.enum(['keep']).optional() }),
  answer: z.object({ success: z.literal(true) }),
});

export const renewSession = call('renewSession', {
  summary: 'The patient is still there: the idle limit starts again.',
  section: 'R-3 (ours)',
  limit: 'changes',
  idempotency: 'natural',
  answer: z.object({ success: z.literal(true) }),
});
