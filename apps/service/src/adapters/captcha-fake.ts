import type { Captcha } from '../ports/captcha.ts';

/** Takes a proof `ok:<anything>` once while it is told to work. */
export interface FakeCaptcha extends Captcha {
  down: boolean;
  readonly asked: string[];
}

export function fakeCaptcha(): FakeCaptcha {
  const spent = new Set<string>();
  return {
    down: false,
    asked: [],
    async challenge(now) {
      return { parameters: { algorithm: 'fake', expiresAt: now + 600 } };
    },
    async verify(proof) {
      this.asked.push(proof);
      if (this.down) return 'unavailable';
      if (!proof.startsWith('ok:') || spent.has(proof)) return 'refused';
      spent.add(proof);
      return 'ok';
    },
  };
}
