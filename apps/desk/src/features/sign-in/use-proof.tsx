import { UserFacingError, codeOf } from '@clinic/app/api-error';
import { clinicNow } from '@clinic/app/clock';
import { Captcha } from '@clinic/ui/captcha';
import { useCallback, useEffect, useRef, useState } from 'react';
import { openService } from '../../shared/api.ts';
import { t } from '../../shared/words.ts';

async function challenge(signal: AbortSignal): Promise<unknown> {
  const result = await openService.call('captchaChallenge', {}, { signal });
  return result.kind === 'answer' ? result.answer : null;
}

/** The key of Google's captcha; null where the clinic has our own. */
async function siteKeyOfClinic(): Promise<string | null> {
  const { extras } = await openService.request('getConfig', {});
  const { kind, siteKey } = extras.captcha;
  return kind === 'recaptcha' ? siteKey : null;
}

/**
 * For calls that ask for a proof where somebody is not known at this computer: the call is sent without one, and
 * again with it once it was asked for. `shown` is what makes the proof, while it is made.
 */
export function useProof() {
  const [asked, setAsked] = useState<{ readonly siteKey: string | null } | null>(null);
  const waiting = useRef<PromiseWithResolvers<string> | null>(null);
  const onProof = useCallback((proof: string | null) => {
    if (proof !== null) waiting.current?.resolve(proof);
  }, []);
  // Whoever waits would wait for ever for a proof that is no longer made.
  useEffect(() => () => waiting.current?.reject(new UserFacingError(t('desk.captchaFailed'))), []);

  async function withProof<Answer>(
    send: (more: { readonly recaptcha?: string }) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      return await send({});
    } catch (error) {
      if (codeOf(error) !== 'captchaNeeded') throw error;
    }
    const siteKey = await siteKeyOfClinic();
    waiting.current = Promise.withResolvers<string>();
    setAsked({ siteKey });
    try {
      return await send({ recaptcha: await waiting.current.promise });
    } finally {
      setAsked(null);
    }
  }

  const words = {
    label: t('desk.captchaLabel'),
    checking: t('desk.captchaChecking'),
    done: t('desk.captchaDone'),
    failed: t('desk.captchaFailed'),
  };
  const shown = asked && (
    <Captcha
      {...asked}
      attempt={0}
      words={words}
      onProof={onProof}
      challenge={challenge}
      now={clinicNow}
    />
  );
  return { withProof, shown };
}
