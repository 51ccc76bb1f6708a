import type { Captcha } from '../src/server/ports.ts';

/** Takes any proof `ok:<anything>` once, and those of its own challenges for ten minutes. */
export interface FakeCaptcha extends Captcha {
  down: boolean;
  readonly asked: string[];
}

/** A proof that the fake takes. */
export const aProof = (): string => `ok:${crypto.randomUUID()}`;

const VALID_FOR = 600;

export function fakeCaptcha(): FakeCaptcha {
  const spent = new Set<string>();
  let made = 0;
  return {
    down: false,
    asked: [],
    async challenge(now) {
      const expiresAt = now + VALID_FOR;
      return {
        parameters: { algorithm: 'fake', expiresAt },
        proof: `ok:${expiresAt}:${++made}`,
      };
    },
    async verify(proof, now) {
      this.asked.push(proof);
      if (this.down) return 'unavailable';
      const [ok, deadline = ''] = proof.split(':');
      const isOver = /^\d{9,}$/.test(deadline) && now > Number(deadline);
      if (ok !== 'ok' || isOver || spent.has(proof)) return 'refused';
      spent.add(proof);
      return 'ok';
    },
  };
}
